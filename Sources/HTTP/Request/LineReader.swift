import Glibc

/// Takes lines off a run of bytes that grows at its end, looking at each byte once however it arrives.
struct LineReader: Sendable {
  /// Where the line being read begins.
  var start: Int
  /// Up to where it is known to have no line end.
  private var scanned: Int

  init(at start: Int) {
    self.start = start
    scanned = start
  }

  /// The next line without its CR LF, or nil when its end has not come yet.
  ///
  /// A line of more than `longest` bytes fails with `excess`, which is known as soon as so many have come: whether the
  /// line's end came along with them makes no difference.
  @inline(__always)
  mutating func next(
    in bytes: UnsafeRawBufferPointer,
    longest: Int,
    excess: @autoclosure () -> HTTPFailure,
    number: Int?
  ) throws(HTTPFailure) -> Range<Int>? {
    guard let base = bytes.baseAddress, scanned < bytes.count else { return nil }
    guard let found = memchr(base + scanned, 0x0A, bytes.count &- scanned) else {
      scanned = bytes.count
      // The last byte may be the CR of the line's end.
      if scanned &- start > longest &+ 1 { throw excess() }
      return nil
    }
    let end = UnsafeRawPointer(found) - base
    if end &- start > longest &+ 1 { throw excess() }
    guard end > start, bytes[end &- 1] == 0x0D else { throw HTTPFailure(.bareLineFeed, line: number) }
    if end &- 1 &- start > longest { throw excess() }
    let line = start..<end &- 1
    start = end &+ 1
    scanned = start
    return line
  }

  /// Follows bytes that were moved within their buffer.
  mutating func move(by distance: Int) {
    start &+= distance
    scanned &+= distance
  }
}
