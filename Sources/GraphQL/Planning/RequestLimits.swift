/// The limits on a request, from the first byte of its document to the last byte of its response. All limits are on by
/// default. A request that exceeds a limit is rejected with the limit's error code before it uses further resources.
package struct RequestLimits: Hashable, Sendable {
  package var parsing = ParseOptions()
  package var validation = ValidationOptions()
  package var planning = PlanLimits()
  package var execution = ExecutionLimits()

  package init() {}

  /// Levels of nested fields, with fragments expanded. Error code: `OPERATION_TOO_DEEP`.
  package var depth: Int {
    get { planning.depth }
    set {
      planning.depth = newValue
      validation.limits.depth = newValue
    }
  }
  /// The sum of the weights of the resolved fields, and also that of the returned objects, by `@cost` and `@listSize`.
  /// Error code: `COST_EXCEEDED`.
  package var cost: Int {
    // The largest integer is stored as a number that is too large for an integer.
    get { Int(exactly: planning.cost.fields.rounded(.down)) ?? .max }
    set { planning.cost = OperationCost(fields: Double(newValue), objects: Double(newValue)) }
  }
  /// Validation errors or field errors in a response. Further errors are counted in one additional error,
  /// `ERRORS_OMITTED`.
  package var errors: Int {
    get { execution.errors }
    set {
      validation.maximumErrors = newValue
      execution.errors = newValue
    }
  }
}
