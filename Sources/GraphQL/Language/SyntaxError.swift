/// What stops the lexer or the parser. It knows a byte's offset only; line and column are found once, when it leaves
/// them as a `GraphQLError`.
struct SyntaxError: Error {
  /// Which of the stable codes it bears. An `ErrorCode` itself would make the error too large for registers, and every
  /// call of the parser would pay for that.
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
