import Glibc

/// Splits a growing byte buffer into lines. Each byte is examined once, however the bytes arrive.
struct LineReader: Sendable {
  /// The start of the current line.
  var start: Int
  /// The end of the bytes that contain no line end.
  private var scanned: Int

  init(at start: Int) {
    self.start = start
    scanned = start
  }

  /// The next line without its CR LF; nil if its end has not arrived.
  ///
  /// A line of more than `longest` bytes fails with `excess` as soon as that many bytes have arrived, whether or not
  /// its line end arrived with them.
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
      // The last byte can be the CR of the line end.
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

  /// Adjusts the offsets after the bytes were moved within their buffer.
  mutating func move(by distance: Int) {
    start &+= distance
    scanned &+= distance
  }
}
