/// The limits on a response.
package struct ExecutionLimits: Hashable, Sendable {
  /// Bytes written, including those removed when null propagates. An object that is reachable on many paths is written
  /// for each of them, so a short document can select a response of any size. Error code: `RESPONSE_TOO_LARGE`.
  package var responseBytes = 16 << 20
  /// Errors in a response, fewer if their messages and paths are long (`ResponseErrors`). Further errors are counted in
  /// one additional error, `ERRORS_OMITTED`.
  package var errors = 100
  /// Fragments with `@defer` and lists with `@stream` that a response delivers later, counted for each object. Error
  /// code: `TOO_MANY_DEFERRED_PARTS`.
  package var deferredParts = 1_000
  /// Items of a list with `@stream` in each part that continues it.
  package var streamedItems = 50
  /// Values in the variables that an operation declares; see `VariableLimits`.
  package var variableValues = VariableLimits().values

  /// The limits on variables. Half as many errors are reported, because nothing is executed.
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
