/// Single characters: lookahead, UTF-8 validation, and representation in messages.
extension Lexer {
  /// The byte at an offset, or 0 beyond the end. No token continues with NUL, so callers need not distinguish the two
  /// cases.
  @inline(__always)
  func byte(at offset: Int) -> UInt8 { offset < bytes.count ? bytes[offset] : 0 }

  @inline(__always)
  func hasBytes(_ first: UInt8, _ second: UInt8, at offset: Int) -> Bool {
    offset &+ 1 < bytes.count && bytes[offset] == first && bytes[offset &+ 1] == second
  }

  /// The length of the well-formed UTF-8 sequence at `offset`, whose first byte must not be ASCII.
  func multibyteScalarLength(at offset: Int) throws(SyntaxError) -> Int {
    let length = wellFormedLength(at: offset)
    guard length > 0 else { throw invalidUTF8(at: offset) }
    return length
  }

  /// The length of a sequence according to Unicode 16, table 3-7 (well-formed UTF-8 byte sequences), or 0 if it is
  /// ill-formed.
  private func wellFormedLength(at offset: Int) -> Int {
    let second = byte(at: offset &+ 1)
    let (length, seconds): (Int, ClosedRange<UInt8>) =
      switch byte(at: offset) {
      case 0xC2...0xDF: (2, 0x80...0xBF)
      case 0xE0: (3, 0xA0...0xBF)
      case 0xE1...0xEC, 0xEE...0xEF: (3, 0x80...0xBF)
      case 0xED: (3, 0x80...0x9F)
      case 0xF0: (4, 0x90...0xBF)
      case 0xF1...0xF3: (4, 0x80...0xBF)
      case 0xF4: (4, 0x80...0x8F)
      default: (0, 0x80...0xBF)
      }
    guard length > 0, seconds.contains(second) else { return 0 }
    for following in 2..<max(length, 2) where byte(at: offset &+ following) & 0xC0 != 0x80 { return 0 }
    return length
  }

  @inline(never)
  func unexpectedCharacter(at offset: Int) -> SyntaxError {
    if bytes[offset] == UInt8(ascii: "'") {
      return SyntaxError(
        #"Unexpected single quote character ('), did you mean to use a double quote (")?"#,
        at: offset
      )
    }
    if bytes[offset] >= 0x80, wellFormedLength(at: offset) == 0 { return invalidUTF8(at: offset) }
    return SyntaxError("Unexpected character: \(describeCharacter(at: offset)).", at: offset)
  }

  /// graphql-js reads UTF-16, so it has no message for this error.
  @inline(never)
  private func invalidUTF8(at offset: Int) -> SyntaxError {
    SyntaxError("Invalid UTF-8 byte: 0x\(hexadecimal(UInt32(bytes[offset]), digits: 2)).", at: offset)
  }

  /// The character at an offset as shown in messages: quoted if it is printable ASCII, else `U+…`.
  func describeCharacter(at offset: Int) -> String {
    guard offset < bytes.count else { return TokenKind.endOfFile.text }
    let end = min(offset + max(wellFormedLength(at: offset), 1), bytes.count)
    let scalar = excerpt(from: offset, to: end).unicodeScalars.first ?? "\u{FFFD}"
    switch scalar {
    case "\"": return #"'"'"#
    case " "..."~": return "\"\(scalar)\""
    default: return "U+\(hexadecimal(scalar.value, digits: 4))"
    }
  }

  func excerpt(from start: Int, to end: Int) -> String {
    String(decoding: bytes[start..<min(end, bytes.count)], as: UTF8.self)
  }

  /// At most `length` UTF-16 code units from `start`, the unit in which graphql-js truncates its excerpts.
  func excerpt(from start: Int, utf16 length: Int) -> String {
    String(decoding: excerpt(from: start, to: start + 4 * length).utf16.prefix(length), as: UTF16.self)
  }

  private func hexadecimal(_ value: UInt32, digits: Int) -> String {
    let text = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
