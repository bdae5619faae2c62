/// How large an operation may be. Each limit has its own error code, and all are on by default: a valid document can
/// still be one that no client of good faith sends.
package struct ValidationLimits: Hashable, Sendable {
  /// Levels of fields in fields, fragments spread out. Past it: `OPERATION_TOO_DEEP`.
  package var depth = 32
  /// Aliases in the document. Past it: `TOO_MANY_ALIASES`.
  package var aliases = 200
  /// Fields at an operation's root, fragments spread out. Past it: `TOO_MANY_ROOT_FIELDS`.
  package var rootFields = 100
  /// Directives at one place. Past it: `TOO_MANY_DIRECTIVES`.
  package var directives = 20
  /// Fragments that an operation spreads, counted each time it gets to one. Past it: `TOO_MANY_FRAGMENT_SPREADS`.
  package var fragmentSpreads = 2_000
  /// The fields `fields`, `inputFields`, `interfaces` and `possibleTypes` of introspection, one in another: each gives
  /// a list, so the answer grows with the power of their depth. At it: `INTROSPECTION_TOO_DEEP`.
  package var introspectionLists = 3

  package init() {}
}

extension ErrorCode {
  package static let operationTooDeep = ErrorCode(rawValue: "OPERATION_TOO_DEEP")
  package static let tooManyAliases = ErrorCode(rawValue: "TOO_MANY_ALIASES")
  package static let tooManyRootFields = ErrorCode(rawValue: "TOO_MANY_ROOT_FIELDS")
  package static let tooManyDirectives = ErrorCode(rawValue: "TOO_MANY_DIRECTIVES")
  package static let tooManyFragmentSpreads = ErrorCode(rawValue: "TOO_MANY_FRAGMENT_SPREADS")
  package static let introspectionTooDeep = ErrorCode(rawValue: "INTROSPECTION_TOO_DEEP")
  /// Whether the document is valid would cost more to find out than is spent on it.
  package static let validationBudgetExceeded = ErrorCode(rawValue: "VALIDATION_BUDGET_EXCEEDED")
}
