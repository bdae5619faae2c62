/// What becomes of a field that fails, as the request asks with `onError` (graphql-spec, pull request 1163).
package enum ErrorBehavior: String, Sendable, CaseIterable {
  /// Null stands where it may: a failure climbs to the nearest place that is nullable.
  case propagate = "PROPAGATE"
  /// Null stands where the failure was, even where the schema says that it may not.
  case null = "NULL"
  /// The first failure ends the request: there is no data, and one error.
  case halt = "HALT"
}
