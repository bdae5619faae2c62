/// Whether text can stand in a JSON string as it is. Asked once when a text is stored, so that writing it, perhaps many
/// times, is a copy.
enum JSONEscaping {
  @inline(__always)
  static func isNeeded(in bytes: UnsafeRawBufferPointer) -> Bool {
    var at = 0
    // Eight bytes at a time: a byte is below 0x20, or equal to `"` or `\`, where the subtraction borrows into its high bit.
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    while at &+ 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)
      let quote = word ^ (ones &* 0x22)
      let backslash = word ^ (ones &* 0x5C)
      let found =
        ((word &- ones &* 0x20) & ~word) | ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)
      if found & highs != 0 { return true }
      at &+= 8
    }
    while at < bytes.count {
      let byte = bytes[at]
      if byte < 0x20 || byte == 0x22 || byte == 0x5C { return true }
      at &+= 1
    }
    return false
  }
}
