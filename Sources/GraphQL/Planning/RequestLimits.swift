/// The limits on a request, from the first byte of its document to the last byte of its response. All limits are on by
/// default. A request that exceeds a limit is rejected with the limit's error code before it uses further resources.
package struct RequestLimits: Hashable, Sendable {
  var parsing = ParseOptions()
  var validation = ValidationOptions()
  var planning = PlanLimits()
  package var execution = ExecutionLimits()

  package init() {}

  package var documentBytes: Int {
    get { parsing.maxBytes }
    set { parsing.maxBytes = newValue }
  }
  package var tokens: Int {
    get { parsing.maxTokens }
    set { parsing.maxTokens = newValue }
  }
  package var depth: Int {
    get { planning.depth }
    set {
      planning.depth = newValue
      validation.limits.depth = newValue
    }
  }
  package var aliases: Int {
    get { validation.limits.aliases }
    set { validation.limits.aliases = newValue }
  }
  package var rootFields: Int {
    get { validation.limits.rootFields }
    set { validation.limits.rootFields = newValue }
  }
  package var directives: Int {
    get { validation.limits.directives }
    set { validation.limits.directives = newValue }
  }
  package var fragmentSpreads: Int {
    get { validation.limits.fragmentSpreads }
    set { validation.limits.fragmentSpreads = newValue }
  }
  package var introspectionLists: Int {
    get { validation.limits.introspectionLists }
    set { validation.limits.introspectionLists = newValue }
  }
  package var validationSteps: Int {
    get { validation.budget }
    set { validation.budget = newValue }
  }
  package var fields: Int {
    get { planning.fields }
    set { planning.fields = newValue }
  }
  package var cost: Int {
    get { Int(planning.cost.fields) }
    set { planning.cost = OperationCost(fields: Double(newValue), objects: Double(newValue)) }
  }
  package var responseBytes: Int {
    get { execution.responseBytes }
    set { execution.responseBytes = newValue }
  }
  package var variableValues: Int {
    get { execution.variableValues }
    set { execution.variableValues = newValue }
  }
  /// Validation errors or field errors in a response.
  package var errors: Int {
    get { execution.errors }
    set {
      validation.maximumErrors = newValue
      execution.errors = newValue
    }
  }
}
