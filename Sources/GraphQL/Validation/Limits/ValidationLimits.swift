/// The limits on the size of an operation. Each limit has its own error code, and all are on by default: a valid
/// document can still be larger than any legitimate client would send.
package struct ValidationLimits: Hashable, Sendable {
  /// Levels of nested fields, with fragments expanded. Error code: `OPERATION_TOO_DEEP`.
  package var depth = 32
  /// Aliases in the document. Error code: `TOO_MANY_ALIASES`.
  package var aliases = 200
  /// Root fields of an operation, with fragments expanded. Error code: `TOO_MANY_ROOT_FIELDS`.
  package var rootFields = 100
  /// Directives at one location. Error code: `TOO_MANY_DIRECTIVES`.
  package var directives = 20
  /// Fragment spreads of an operation, counted each time they are expanded. Error code: `TOO_MANY_FRAGMENT_SPREADS`.
  package var fragmentSpreads = 2_000
  /// Nesting depth of the introspection fields `fields`, `inputFields`, `interfaces` and `possibleTypes`. Each returns
  /// a list, so the size of the response grows exponentially with the depth. A document at this depth is rejected.
  /// Error code: `INTROSPECTION_TOO_DEEP`.
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
  /// Validating the document would take more steps than the budget allows.
  package static let validationBudgetExceeded = ErrorCode(rawValue: "VALIDATION_BUDGET_EXCEEDED")
}
