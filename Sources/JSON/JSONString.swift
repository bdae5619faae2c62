import Bytes

extension ByteBuffer {
  /// Appends text as a JSON string, quotes included (RFC 8259, section 7).
  package mutating func append(jsonString text: UnsafeRawBufferPointer) {
    reserve(text.count &+ 2)
    append(UInt8(ascii: "\""))
    var plainStart = 0
    var at = 0
    while at < text.count {
      let byte = text[at]
      if byte >= 0x20 && byte != 0x22 && byte != 0x5C {
        at &+= 1
        continue
      }
      append(UnsafeRawBufferPointer(rebasing: text[plainStart..<at]))
      appendEscape(of: byte)
      at &+= 1
      plainStart = at
    }
    append(UnsafeRawBufferPointer(rebasing: text[plainStart..<at]))
    append(UInt8(ascii: "\""))
  }

  package mutating func append(jsonString text: String) {
    var text = text
    text.withUTF8 { append(jsonString: UnsafeRawBufferPointer($0)) }
  }

  private mutating func appendEscape(of byte: UInt8) {
    switch byte {
    case 0x22: append("\\\"")
    case 0x5C: append("\\\\")
    case 0x0A: append("\\n")
    case 0x0D: append("\\r")
    case 0x09: append("\\t")
    default:
      append("\\u00")
      // A static string is not allocated for each character.
      let digits: StaticString = "0123456789abcdef"
      append(digits.utf8Start[Int(byte >> 4)])
      append(digits.utf8Start[Int(byte & 0xF)])
    }
  }
}
