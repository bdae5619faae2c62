/// Additional requirements on a document, and the limits on the cost of validation.
package struct ValidationOptions: Hashable, Sendable {
  /// Whether introspection is enabled for the client. If not, `__schema` and `__type` are rejected, and messages
  /// contain no suggestions, which would disclose the schema piece by piece.
  package var allowsIntrospection = true
  /// Whether the use of deprecated elements is an error. For checking the documents of clients, not for serving them.
  package var rejectsDeprecated = false
  /// The maximum number of errors reported. Further errors are summarized in one additional error, `ERRORS_OMITTED`.
  package var maximumErrors = 100
  /// The number of steps for algorithms whose cost can grow faster than the document: merging overlapping fields, and
  /// following fragments once for each operation. A step takes 10 to 80 ns, so the default allows at most some tens of
  /// milliseconds. Error code: `VALIDATION_BUDGET_EXCEEDED`.
  package var budget = 500_000
  package var limits = ValidationLimits()

  package init() {}
}
