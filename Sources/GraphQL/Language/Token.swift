/// One lexical token (specification, section 2.1.6), by its place in the source. It owns nothing and fits in two
/// registers.
struct Token {
  /// The bytes of the source that it covers.
  var start: UInt32
  var end: UInt32
  /// `NameHash` of a name; 0 for every other kind.
  var nameHash: UInt32 = 0
  var kind: TokenKind
  /// `block` and `needsDecoding` of a string.
  var flags: NodeFlags = []

  init(_ kind: TokenKind, from start: Int, to end: Int, flags: NodeFlags = []) {
    self.start = UInt32(truncatingIfNeeded: start)
    self.end = UInt32(truncatingIfNeeded: end)
    self.kind = kind
    self.flags = flags
  }

  var isString: Bool { kind == .string || kind == .blockString }
}

enum TokenKind: UInt8 {
  case endOfFile
  case bang, dollar, ampersand, leftParenthesis, rightParenthesis, spread, colon, equals, at
  case leftBracket, rightBracket, leftBrace, pipe, rightBrace
  /// Only in schema coordinates; nowhere else is a single dot a token.
  case dot
  case name, int, float, string, blockString
}

extension TokenKind {
  /// What messages call a token of this kind.
  var text: String {
    switch self {
    case .endOfFile: "<EOF>"
    case .bang: #""!""#
    case .dollar: #""$""#
    case .ampersand: #""&""#
    case .leftParenthesis: #""(""#
    case .rightParenthesis: #"")""#
    case .spread: #""...""#
    case .colon: #"":""#
    case .equals: #""=""#
    case .at: #""@""#
    case .leftBracket: #""[""#
    case .rightBracket: #""]""#
    case .leftBrace: #""{""#
    case .pipe: #""|""#
    case .rightBrace: #""}""#
    case .dot: #"".""#
    case .name: "Name"
    case .int: "Int"
    case .float: "Float"
    case .string: "String"
    case .blockString: "BlockString"
    }
  }

  var hasValue: Bool { rawValue >= TokenKind.name.rawValue }
}
