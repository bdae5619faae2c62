/// Parses schema coordinates. They have their own lexical grammar: a single dot is a token, and there are no ignored
/// characters between tokens.
struct SchemaCoordinateParser {
  private var lexer: Lexer
  private var token = Token(.endOfFile, from: 0, to: 0)

  /// `bytes` must outlive the parser.
  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    lexer = Lexer(bytes)
  }

  // SchemaCoordinate ::
  //   - TypeCoordinate :: Name
  //   - MemberCoordinate :: Name . Name
  //   - ArgumentCoordinate :: Name . Name ( Name : )
  //   - DirectiveCoordinate :: @ Name
  //   - DirectiveArgumentCoordinate :: @ Name ( Name : )
  mutating func schemaCoordinate() throws(SyntaxError) -> SchemaCoordinate {
    try advance()
    let coordinate: SchemaCoordinate
    if try skip(.at) {
      let directive = try name()
      coordinate = try argument().map { .directiveArgument(directive: directive, name: $0) } ?? .directive(directive)
    } else {
      let type = try name()
      if try skip(.dot) {
        let member = try name()
        coordinate =
          try argument().map { .argument(type: type, field: member, name: $0) } ?? .member(type: type, name: member)
      } else {
        coordinate = .type(type)
      }
    }
    try expect(.endOfFile)
    return coordinate
  }

  // ( Name : )
  private mutating func argument() throws(SyntaxError) -> String? {
    guard try skip(.leftParenthesis) else { return nil }
    let argument = try name()
    try expect(.colon)
    try expect(.rightParenthesis)
    return argument
  }

  private mutating func name() throws(SyntaxError) -> String {
    let name = lexer.excerpt(from: Int(token.start), to: Int(token.end))
    try expect(.name)
    return name
  }

  private mutating func skip(_ kind: TokenKind) throws(SyntaxError) -> Bool {
    guard token.kind == kind else { return false }
    try advance()
    return true
  }

  private mutating func expect(_ kind: TokenKind) throws(SyntaxError) {
    guard try skip(kind) else {
      let value = token.kind == .name ? " \"\(lexer.excerpt(from: Int(token.start), to: Int(token.end)))\"" : ""
      throw SyntaxError("Expected \(kind.text), found \(token.kind.text)\(value).", at: token.start)
    }
  }

  // SchemaCoordinateToken :: SchemaCoordinatePunctuator | Name
  private mutating func advance() throws(SyntaxError) {
    let start = lexer.position
    let byte = lexer.byte(at: start)
    let kind: TokenKind
    switch byte {
    case UInt8(ascii: "."): kind = .dot
    case UInt8(ascii: "("): kind = .leftParenthesis
    case UInt8(ascii: ")"): kind = .rightParenthesis
    case UInt8(ascii: ":"): kind = .colon
    case UInt8(ascii: "@"): kind = .at
    default:
      if start < lexer.bytes.count && !byte.isNameStart {
        throw SyntaxError("Invalid character: \(lexer.describeCharacter(at: start)).", at: start)
      }
      // A name, or the end of the source.
      try lexer.advance()
      token = lexer.token
      return
    }
    lexer.position = start + 1
    token = Token(kind, from: start, to: start + 1)
  }
}
