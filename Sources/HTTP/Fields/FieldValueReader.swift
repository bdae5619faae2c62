/// Reads the common parts of header values (RFC 9110, section 5.6) from left to right.
struct FieldValueReader {
  /// The caller must keep it good for as long as the reader lives.
  private let text: UnsafeRawBufferPointer
  private var at = 0

  init(_ text: UnsafeRawBufferPointer) { self.text = text }

  var isAtEnd: Bool { at == text.count }

  mutating func skipWhitespace() {
    while at < text.count, text[at].isSpaceOrTab { at += 1 }
  }

  /// Whether the next byte was `byte`; it is taken if so.
  mutating func take(_ byte: UInt8) -> Bool {
    guard at < text.count, text[at] == byte else { return false }
    at += 1
    return true
  }

  /// `token`; nil if the next byte is not of one.
  mutating func takeToken() -> UnsafeRawBufferPointer? {
    let start = at
    while at < text.count, CharacterSet.token.contains(text[at]) { at += 1 }
    return at > start ? UnsafeRawBufferPointer(rebasing: text[start..<at]) : nil
  }

  /// `token` or `quoted-string`, the latter without its quotation marks and backslashes.
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
  /// ASCII capitals become small letters.
  var lowercasedText: String { String(decoding: map(\.lowercased), as: UTF8.self) }
}
