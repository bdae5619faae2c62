/// Numbers (specification, sections 2.9.1 and 2.9.2).
extension Lexer {
  // IntValue :: IntegerPart [lookahead ∉ {Digit, ., NameStart}]
  // FloatValue ::
  //   - IntegerPart FractionalPart ExponentPart [lookahead ∉ {Digit, ., NameStart}]
  //   - IntegerPart FractionalPart [lookahead ∉ {Digit, ., NameStart}]
  //   - IntegerPart ExponentPart [lookahead ∉ {Digit, ., NameStart}]
  mutating func number() throws(SyntaxError) {
    let start = position
    var kind = TokenKind.int
    var at = start
    // IntegerPart :: -? 0 | -? NonZeroDigit Digit*
    if bytes[at] == UInt8(ascii: "-") { at &+= 1 }
    if byte(at: at) == UInt8(ascii: "0") {
      at &+= 1
      if byte(at: at).isDigit {
        throw SyntaxError("Invalid number, unexpected digit after 0: \(describeCharacter(at: at)).", at: at)
      }
    } else {
      at = try digits(from: at)
    }
    // FractionalPart :: . Digit+
    if byte(at: at) == UInt8(ascii: ".") {
      kind = .float
      at = try digits(from: at &+ 1)
    }
    // ExponentPart :: ExponentIndicator Sign? Digit+
    if byte(at: at) | 0x20 == UInt8(ascii: "e") {
      kind = .float
      at &+= 1
      let sign = byte(at: at)
      if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { at &+= 1 }
      at = try digits(from: at)
    }
    let following = byte(at: at)
    if following == UInt8(ascii: ".") || following.isNameStart { throw expectedDigit(at: at) }
    position = at
    token = Token(kind, from: start, to: at)
  }

  /// The end of a sequence of one or more digits.
  private func digits(from start: Int) throws(SyntaxError) -> Int {
    guard byte(at: start).isDigit else { throw expectedDigit(at: start) }
    var at = start &+ 1
    while byte(at: at).isDigit { at &+= 1 }
    return at
  }

  @inline(never)
  private func expectedDigit(at offset: Int) -> SyntaxError {
    SyntaxError("Invalid number, expected digit but got: \(describeCharacter(at: offset)).", at: offset)
  }
}
