/// A lexical token (specification, section 2.1.6), by its range in the source. It owns no memory and fits in two
/// registers.
struct Token {
  /// The range of the token in the source, in bytes.
  var start: UInt32
  var end: UInt32
  /// The `NameHash` of a name; 0 for every other kind.
  var nameHash: UInt32 = 0
  var kind: TokenKind
  /// The flags `block` and `needsDecoding` of a string.
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
  case name, int, float, string, blockString
}

extension TokenKind {
  /// The representation of the kind in messages.
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
    case .name: "Name"
    case .int: "Int"
    case .float: "Float"
    case .string: "String"
    case .blockString: "BlockString"
    }
  }

  var hasValue: Bool { rawValue >= TokenKind.name.rawValue }
}
