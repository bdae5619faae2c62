/// An incremental check for valid UTF-8 (RFC 3629), however the bytes are split. It fails at the first invalid byte.
struct UTF8Check {
  /// The number of missing bytes of a character, and the range of the next one.
  private var missing: UInt8 = 0
  private var lowest: UInt8 = 0x80
  private var highest: UInt8 = 0xBF

  /// Whether the bytes so far end with a complete character.
  var isComplete: Bool { missing == 0 }

  mutating func accept(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var at = 0
    while at < bytes.count {
      if missing == 0 {
        while at &+ 8 <= bytes.count,
          bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
        {
          at &+= 8
        }
        if at == bytes.count { break }
      }
      guard accept(bytes[at]) else { return false }
      at &+= 1
    }
    return true
  }

  private mutating func accept(_ byte: UInt8) -> Bool {
    guard missing == 0 else {
      guard byte >= lowest && byte <= highest else { return false }
      missing &-= 1
      (lowest, highest) = (0x80, 0xBF)
      return true
    }
    switch byte {
    case 0x00...0x7F: break
    case 0xC2...0xDF: missing = 1
    case 0xE0...0xEF:
      missing = 2
      // Excludes overlong forms and surrogates.
      if byte == 0xE0 { lowest = 0xA0 }
      if byte == 0xED { highest = 0x9F }
    case 0xF0...0xF4:
      missing = 3
      // Excludes overlong forms and code points beyond U+10FFFF.
      if byte == 0xF0 { lowest = 0x90 }
      if byte == 0xF4 { highest = 0x8F }
    default: return false
    }
    return true
  }
}
