/// Reads tokens from UTF-8 in one pass and without allocation (specification, section 2.1).
///
/// `bytes` points into the source's array. A lexer must not outlive the `withUnsafeBufferPointer` call that created it.
/// Every offset is compared with `bytes.count` before an access; debug builds check every access, release builds do
/// not.
struct Lexer {
  let bytes: UnsafeBufferPointer<UInt8>
  /// The last token read. It is modified in place, because returning a token would pack it into registers and unpack it
  /// again.
  var token = Token(.endOfFile, from: 0, to: 0)
  /// The offset of the next token, or of ignored characters before it.
  var position = 0
  private let seed = NameHash.seed

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// Reads the next token. At the end of the source, every call reads `endOfFile`.
  mutating func advance() throws(SyntaxError) {
    while position < bytes.count {
      let start = position
      let byte = bytes[start]
      if byte.isIgnored {
        position = start &+ 1
        // A line terminator is usually followed by several spaces.
        if byte == 0x0A { skipSpaces() }
        continue
      }
      if byte.isNameStart { return name(from: start) }
      switch byte {
      case UInt8(ascii: "#"):
        try skipComment()
      case UInt8(ascii: "{"): return punctuator(.leftBrace)
      case UInt8(ascii: "}"): return punctuator(.rightBrace)
      case UInt8(ascii: "("): return punctuator(.leftParenthesis)
      case UInt8(ascii: ")"): return punctuator(.rightParenthesis)
      case UInt8(ascii: ":"): return punctuator(.colon)
      case UInt8(ascii: "$"): return punctuator(.dollar)
      case UInt8(ascii: "!"): return punctuator(.bang)
      case UInt8(ascii: "@"): return punctuator(.at)
      case UInt8(ascii: "["): return punctuator(.leftBracket)
      case UInt8(ascii: "]"): return punctuator(.rightBracket)
      case UInt8(ascii: "="): return punctuator(.equals)
      case UInt8(ascii: "|"): return punctuator(.pipe)
      case UInt8(ascii: "&"): return punctuator(.ampersand)
      case UInt8(ascii: "."): return try spread()
      case UInt8(ascii: "\""): return try string()
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
      case 0xEF where hasBytes(0xBB, 0xBF, at: start &+ 1):  // UnicodeBOM is ignored.
        position = start &+ 3
      default: throw unexpectedCharacter(at: start)
      }
    }
    token = Token(.endOfFile, from: bytes.count, to: bytes.count)
  }

  @inline(__always)
  private mutating func punctuator(_ kind: TokenKind) {
    token = Token(kind, from: position, to: position &+ 1)
    position &+= 1
  }

  /// Skips the spaces of an indentation, eight bytes at a time.
  @inline(__always)
  private mutating func skipSpaces() {
    while let word = EightBytes(bytes, at: position) {
      let spaces = word.leadingSpaces
      position &+= spaces
      if spaces < 8 { return }
    }
  }

  // Name :: NameStart NameContinue* [lookahead ≠ NameContinue]
  @inline(__always)
  private mutating func name(from start: Int) {
    var end = start
    var state = NameHash.begin(seed: seed)
    // Reads eight bytes at a time. A loop over single bytes ends with a mispredicted branch, which is its main cost.
    while let word = EightBytes(bytes, at: end) {
      let length = word.leadingNameBytes
      end &+= length
      if length < 8 {
        return finishName(
          from: start,
          to: end,
          hash: NameHash.end(state, tail: word.first(length), count: end &- start)
        )
      }
      state = NameHash.add(word.bytes, to: state)
    }
    var tail: UInt64 = 0
    while end < bytes.count, bytes[end].isNameContinue {
      tail = tail &<< 8 | UInt64(bytes[end])
      end &+= 1
    }
    return finishName(from: start, to: end, hash: NameHash.end(state, tail: tail, count: end &- start))
  }

  @inline(__always)
  private mutating func finishName(from start: Int, to end: Int, hash: UInt32) {
    position = end
    token = Token(.name, from: start, to: end)
    token.nameHash = hash
  }

  private mutating func spread() throws(SyntaxError) {
    let start = position
    if hasBytes(UInt8(ascii: "."), UInt8(ascii: "."), at: start &+ 1) {
      position = start &+ 3
      token = Token(.spread, from: start, to: start &+ 3)
      return
    }
    let next = byte(at: start &+ 1)
    if next == UInt8(ascii: ".") {
      throw SyntaxError(#"Unexpected "..", did you mean "..."?"#, at: start)
    }
    if next.isDigit {
      var end = start &+ 1
      while byte(at: end).isDigit { end &+= 1 }
      let digits = excerpt(from: start &+ 1, to: end)
      throw SyntaxError(
        #"Invalid number, expected digit before ".", did you mean "0.\#(digits)"?"#,
        at: start
      )
    }
    throw unexpectedCharacter(at: start)
  }

  // Comment :: # CommentChar* [lookahead ≠ CommentChar]
  private mutating func skipComment() throws(SyntaxError) {
    var at = position &+ 1
    while at < bytes.count {
      let byte = bytes[at]
      if byte == 0x0A || byte == 0x0D { break }
      at &+= byte < 0x80 ? 1 : try multibyteScalarLength(at: at)
    }
    position = at
  }
}

extension UInt8 {
  /// Whitespace, LineTerminator and Comma.
  @inline(__always)
  fileprivate var isIgnored: Bool {
    let set: UInt64 = 1 << 0x20 | 1 << 0x2C | 1 << 0x0A | 1 << 0x0D | 1 << 0x09
    return self <= 0x2C && set &>> UInt64(self) & 1 != 0
  }

  // NameStart :: Letter | _
  @inline(__always)
  var isNameStart: Bool { (self | 0x20) &- 0x61 < 26 || self == 0x5F }

  // NameContinue :: Letter | Digit | _
  @inline(__always)
  var isNameContinue: Bool { (self | 0x20) &- 0x61 < 26 || self &- 0x30 < 10 || self == 0x5F }

  @inline(__always)
  var isDigit: Bool { self &- 0x30 < 10 }
}
