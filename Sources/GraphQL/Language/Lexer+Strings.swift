/// Strings (specification, section 2.9.4). The lexer validates them, so `Document.stringValue(of:)` can decode them
/// without checks.
extension Lexer {
  // StringValue ::
  //   - "" [lookahead ≠ "]
  //   - " StringCharacter+ "
  //   - BlockString
  mutating func string() throws(SyntaxError) {
    let start = position
    if hasBytes(UInt8(ascii: "\""), UInt8(ascii: "\""), at: start &+ 1) { return try blockString() }
    var flags: NodeFlags = []
    var at = start &+ 1
    scan: while at < bytes.count {
      let byte = bytes[at]
      switch byte {
      case UInt8(ascii: "\""):
        position = at &+ 1
        token = Token(.string, from: start, to: at &+ 1, flags: flags)
        return
      case UInt8(ascii: "\\"):
        flags = .needsDecoding
        at = try escape(at: at)
      case 0x0A, 0x0D: break scan
      default: at &+= byte < 0x80 ? 1 : try multibyteScalarLength(at: at)
      }
    }
    throw SyntaxError("Unterminated string.", at: at)
  }

  // BlockString :: """ BlockStringCharacter* """
  private mutating func blockString() throws(SyntaxError) {
    let start = position
    var flags: NodeFlags = .block
    var at = start &+ 3
    while at < bytes.count {
      let byte = bytes[at]
      switch byte {
      case UInt8(ascii: "\"") where hasBytes(byte, byte, at: at &+ 1):
        position = at &+ 3
        token = Token(.blockString, from: start, to: at &+ 3, flags: flags)
        return
      case UInt8(ascii: "\\")
      where self.byte(at: at &+ 1) == UInt8(ascii: "\"")
        && hasBytes(UInt8(ascii: "\""), UInt8(ascii: "\""), at: at &+ 2):
        flags.insert(.needsDecoding)
        at &+= 4
      case 0x0A, 0x0D:
        flags.insert(.needsDecoding)
        at &+= 1
      case 0x20, 0x09:
        // A string that starts with whitespace may contain nothing else. Its value is then empty.
        if at == start &+ 3 { flags.insert(.needsDecoding) }
        at &+= 1
      default: at &+= byte < 0x80 ? 1 : try multibyteScalarLength(at: at)
      }
    }
    throw SyntaxError("Unterminated string.", at: at)
  }

  /// The end of the escape sequence at `start`.
  private func escape(at start: Int) throws(SyntaxError) -> Int {
    switch byte(at: start &+ 1) {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return start &+ 2
    case UInt8(ascii: "u"):
      return byte(at: start &+ 2) == UInt8(ascii: "{")
        ? try variableWidthEscape(at: start) : try fixedWidthEscape(at: start)
    default:
      throw SyntaxError(
        "Invalid character escape sequence: \"\(excerpt(from: start, utf16: 2))\".",
        at: start
      )
    }
  }

  // \u EscapedUnicode :: { HexDigit+ }
  private func variableWidthEscape(at start: Int) throws(SyntaxError) -> Int {
    // At most eight digits, as in graphql-js, to bound the number of leading zeros.
    var value: UInt32 = 0
    var length = 3
    while length < 12 {
      let byte = self.byte(at: start &+ length)
      length += 1
      if byte == UInt8(ascii: "}") {
        if length >= 5, Unicode.Scalar(value) != nil { return start &+ length }
        break
      }
      guard let digit = byte.hexadecimalDigit else { break }
      value = value << 4 | digit
      if value > 0x7FFF_FFFF { break }
    }
    throw SyntaxError("Invalid Unicode escape sequence: \"\(excerpt(from: start, utf16: length))\".", at: start)
  }

  // \u EscapedUnicode :: HexDigit HexDigit HexDigit HexDigit
  private func fixedWidthEscape(at start: Int) throws(SyntaxError) -> Int {
    if let unit = codeUnit(at: start &+ 2) {
      if Unicode.Scalar(unit) != nil { return start &+ 6 }
      // A leading surrogate is valid only if a trailing surrogate follows.
      if UTF16.isLeadSurrogate(UInt16(unit)), hasBytes(UInt8(ascii: "\\"), UInt8(ascii: "u"), at: start &+ 6),
        let trailing = codeUnit(at: start &+ 8), UTF16.isTrailSurrogate(UInt16(trailing))
      {
        return start &+ 12
      }
    }
    throw SyntaxError("Invalid Unicode escape sequence: \"\(excerpt(from: start, utf16: 6))\".", at: start)
  }

  private func codeUnit(at start: Int) -> UInt32? {
    var value: UInt32 = 0
    for offset in start..<start &+ 4 {
      guard let digit = byte(at: offset).hexadecimalDigit else { return nil }
      value = value << 4 | digit
    }
    return value
  }
}

extension UInt8 {
  var hexadecimalDigit: UInt32? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(self &- UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(self &- UInt8(ascii: "a") &+ 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(self &- UInt8(ascii: "A") &+ 10)
    default: nil
    }
  }
}
