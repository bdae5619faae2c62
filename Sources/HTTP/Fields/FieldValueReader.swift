/// Reads the common parts of header values (RFC 9110, section 5.6) from left to right.
struct FieldValueReader {
  /// The caller must keep the memory valid for the lifetime of the reader.
  private let text: UnsafeRawBufferPointer
  private var at = 0

  init(_ text: UnsafeRawBufferPointer) { self.text = text }

  var isAtEnd: Bool { at == text.count }

  mutating func skipWhitespace() {
    while at < text.count, text[at].isSpaceOrTab { at += 1 }
  }

  /// Consumes the next byte if it is `byte`. Returns whether it was.
  mutating func take(_ byte: UInt8) -> Bool {
    guard at < text.count, text[at] == byte else { return false }
    at += 1
    return true
  }

  /// Consumes a `token`; nil if there is none.
  mutating func takeToken() -> UnsafeRawBufferPointer? {
    let start = at
    while at < text.count, CharacterSet.token.contains(text[at]) { at += 1 }
    return at > start ? UnsafeRawBufferPointer(rebasing: text[start..<at]) : nil
  }

  /// Consumes a `token` or a `quoted-string`, the latter without its quotation marks and backslashes.
  mutating func takeWord() -> String? {
    guard take(UInt8(ascii: "\"")) else { return takeToken().map { String(decoding: $0, as: UTF8.self) } }
    var content: [UInt8] = []
    while at < text.count {
      var byte = text[at]
      at += 1
      if byte == UInt8(ascii: "\"") { return String(decoding: content, as: UTF8.self) }
      if byte == UInt8(ascii: "\\") {
        guard at < text.count else { return nil }
        byte = text[at]
        at += 1
      }
      guard byte >= 0x20 && byte != 0x7F || byte == 0x09 else { return nil }
      content.append(byte)
    }
    return nil
  }
}

extension UnsafeRawBufferPointer {
  /// The text in ASCII lower case.
  var lowercasedText: String { String(decoding: map(\.lowercased), as: UTF8.self) }
}
