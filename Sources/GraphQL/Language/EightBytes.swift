/// Eight bytes of a source in one word, the first byte lowest, for testing them together. Each test sets the top bit of
/// every byte that fails. The position of the first such bit is the number of bytes before it that pass.
struct EightBytes {
  let bytes: UInt64

  /// Returns nil if fewer than eight bytes remain.
  @inline(__always)
  init?(_ text: UnsafeBufferPointer<UInt8>, at offset: Int) {
    guard offset &+ 8 <= text.count else { return nil }
    bytes = UInt64(
      littleEndian: UnsafeRawBufferPointer(text).loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    )
  }

  /// The number of leading spaces.
  @inline(__always)
  var leadingSpaces: Int {
    let differing = bytes ^ Self.all(0x20)
    return ((differing & Self.low &+ Self.low) | differing).leading
  }

  /// The number of leading bytes that can continue a name: letters, digits and `_`.
  @inline(__always)
  var leadingNameBytes: Int {
    // Bit 7 is masked, so that no sum carries into the next byte. A byte with bit 7 set is not ASCII, and not part of a
    // name.
    let low = bytes & Self.low
    let lowercased = low | Self.all(0x20)
    let letters = Self.atLeast(0x61, bytes: lowercased) & ~Self.atLeast(0x7B, bytes: lowercased)
    let digits = Self.atLeast(0x30, bytes: low) & ~Self.atLeast(0x3A, bytes: low)
    let notUnderscores = (low ^ Self.all(0x5F)) &+ Self.low
    return (~(letters | digits | ~notUnderscores) | bytes).leading
  }

  /// The first `length` bytes, fewer than eight, as a big-endian number.
  @inline(__always)
  func first(_ length: Int) -> UInt64 {
    // Two shifts, because a masking shift by 64 bits would not shift at all.
    (bytes.byteSwapped &>> 8) &>> UInt64(truncatingIfNeeded: 56 &- 8 &* length)
  }

  private static let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F

  @inline(__always)
  private static func all(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }

  /// Sets the top bit of every byte that is at least `bound`.
  @inline(__always)
  private static func atLeast(_ bound: UInt8, bytes: UInt64) -> UInt64 { bytes &+ all(0x80 &- bound) }
}

extension UInt64 {
  /// The number of bytes before the first byte whose top bit is set.
  @inline(__always)
  fileprivate var leading: Int { (self & 0x8080_8080_8080_8080).trailingZeroBitCount &>> 3 }
}
