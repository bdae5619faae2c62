/// Tests whether text needs escaping in a JSON string. The test is made once when a text is stored, so that each time
/// the text is written it is only copied.
enum JSONEscaping {
  @inline(__always)
  static func isNeeded(in bytes: UnsafeRawBufferPointer) -> Bool {
    var at = 0
    while at &+ 8 <= bytes.count {
      if isNeeded(in: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)) { return true }
      at &+= 8
    }
    if at == bytes.count { return false }
    // If there are at least eight bytes, the rest is the end of the last eight bytes.
    if at > 0 { return isNeeded(in: bytes.loadUnaligned(fromByteOffset: bytes.count &- 8, as: UInt64.self)) }
    while at < bytes.count {
      let byte = bytes[at]
      if byte < 0x20 || byte == 0x22 || byte == 0x5C { return true }
      at &+= 1
    }
    return false
  }

  /// Tests eight bytes at a time. A byte is below 0x20, or equal to `"` or `\`, if the subtraction borrows into its
  /// high bit.
  @inline(__always)
  private static func isNeeded(in word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    let quote = word ^ (ones &* 0x22)
    let backslash = word ^ (ones &* 0x5C)
    let found = ((word &- ones &* 0x20) & ~word) | ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)
    return found & highs != 0
  }
}
