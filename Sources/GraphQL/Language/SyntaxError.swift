/// An error of the lexer or the parser. It contains the offset of a byte. The line and column are computed once, when
/// it is converted to a `GraphQLError`.
struct SyntaxError: Error {
  /// The error code. An `ErrorCode` would make the error too large for registers, and every call in the parser would
  /// become slower.
  enum Cause: UInt8 {
    case syntax, tooManyTokens, nestingTooDeep
  }

  let message: String
  let offset: UInt32
  let cause: Cause

  init(_ message: String, at offset: UInt32, cause: Cause = .syntax) {
    self.message = message
    self.offset = offset
    self.cause = cause
  }

  init(_ message: String, at offset: Int) {
    self.init(message, at: UInt32(truncatingIfNeeded: offset))
  }

  func graphQLError(in source: Source) -> GraphQLError {
    let code: ErrorCode =
      switch cause {
      case .syntax: .parseFailed
      case .tooManyTokens: .tooManyTokens
      case .nestingTooDeep: .nestingTooDeep
      }
    return GraphQLError("Syntax Error: \(message)", at: [source.location(at: Int(offset))], code: code)
  }
}
