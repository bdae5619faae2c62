/// What is asked of a document beside being valid, and what finding that out may cost.
package struct ValidationOptions: Hashable, Sendable {
  /// Whether the caller may see the schema. Where not, `__schema` and `__type` are refused, and no message suggests a
  /// name, which would tell the schema piece by piece.
  package var allowsIntrospection = true
  /// Whether the use of what is deprecated is an error: for checking clients, not for serving them.
  package var rejectsDeprecated = false
  /// Errors that are told. Past it: one more error that says so, `ERRORS_OMITTED`.
  package var maximumErrors = 100
  /// Steps of the searches whose cost can grow faster than the document: merging overlapping fields, following
  /// fragments once for each operation. A step takes 10 to 80 ns, so the default is some tens of milliseconds at most.
  /// Past it: `VALIDATION_BUDGET_EXCEEDED`.
  package var budget = 500_000
  package var limits = ValidationLimits()

  package init() {}
}
