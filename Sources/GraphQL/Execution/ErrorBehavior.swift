/// How field errors affect the response, as the request chooses with `onError` (graphql-spec, pull request 1163).
package enum ErrorBehavior: String, Sendable, CaseIterable {
  /// The field becomes null. If its type is non-null, the error propagates to the nearest nullable parent.
  case propagate = "PROPAGATE"
  /// The field becomes null, even if its type is non-null.
  case null = "NULL"
  /// The first field error ends the execution. The response has no data and one error. In a later part of a
  /// response that is delivered incrementally, everything that is pending fails with the error.
  case halt = "HALT"
}
