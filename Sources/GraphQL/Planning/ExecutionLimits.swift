/// What an answer may become.
package struct ExecutionLimits: Hashable, Sendable {
  /// Bytes written, those that a failure takes back included: what is reached by many ways is written as often, so that
  /// a short document can ask for an answer of any size. Past it: `RESPONSE_TOO_LARGE`.
  package var responseBytes = 16 << 20
  /// Errors told. What goes wrong after that is counted in one more error, `ERRORS_OMITTED`.
  package var errors = 100
  /// Values of the variables that an operation declares: see `VariableLimits`.
  package var variableValues = VariableLimits().values

  /// Half as many errors are reported for variables, for which nothing is executed.
  package var variables: VariableLimits {
    var limits = VariableLimits()
    limits.values = variableValues
    limits.errors = (errors + 1) / 2
    return limits
  }

  package init() {}
}

extension ErrorCode {
  package static let responseTooLarge = ErrorCode(rawValue: "RESPONSE_TOO_LARGE")
}
