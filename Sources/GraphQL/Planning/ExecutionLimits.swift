/// What an answer may become.
package struct ExecutionLimits: Hashable, Sendable {
  /// Bytes written, those that a failure takes back included: what is reached by many ways is written as often, so that
  /// a short document can ask for an answer of any size. Past it: `RESPONSE_TOO_LARGE`.
  package var responseBytes = 16 << 20
  /// Errors told. What goes wrong after that is counted in one more error, `ERRORS_OMITTED`.
  package var errors = 100
  /// The same of what is wrong with the variables, for which nothing is executed.
  package var variableErrors: Int { (errors + 1) / 2 }

  package init() {}
}

extension ErrorCode {
  package static let responseTooLarge = ErrorCode(rawValue: "RESPONSE_TOO_LARGE")
}
