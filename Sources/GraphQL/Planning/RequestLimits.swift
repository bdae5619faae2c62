/// The limits on a request, from the first byte of its document to the last byte of its response. All limits are on by
/// default. A request that exceeds a limit is rejected with the limit's error code before it uses further resources.
package struct RequestLimits: Hashable, Sendable {
  var parsing = ParseOptions()
  var validation = ValidationOptions()
  var planning = PlanLimits()
  /// The limits on a response, some of which have properties of their own here.
  package var execution = ExecutionLimits()

  package init() {}

  /// Bytes of the document, checked before it is parsed. Error code: `DOCUMENT_TOO_LARGE`.
  package var documentBytes: Int {
    get { parsing.documentBytes }
    set { parsing.documentBytes = newValue }
  }
  /// Tokens of the document, without comments. Error code: `TOO_MANY_TOKENS`.
  package var tokens: Int {
    get { parsing.tokens }
    set { parsing.tokens = newValue }
  }
  /// Levels of nested fields, with fragments expanded. Error code: `OPERATION_TOO_DEEP`.
  package var depth: Int {
    get { planning.depth }
    set {
      planning.depth = newValue
      validation.limits.depth = newValue
    }
  }
  /// Aliases in the document. Error code: `TOO_MANY_ALIASES`.
  package var aliases: Int {
    get { validation.limits.aliases }
    set { validation.limits.aliases = newValue }
  }
  /// Root fields of an operation, with fragments expanded. Error code: `TOO_MANY_ROOT_FIELDS`.
  package var rootFields: Int {
    get { validation.limits.rootFields }
    set { validation.limits.rootFields = newValue }
  }
  /// Directives at one location of the document. Error code: `TOO_MANY_DIRECTIVES`.
  package var directives: Int {
    get { validation.limits.directives }
    set { validation.limits.directives = newValue }
  }
  /// Fragment spreads of an operation, counted each time they are expanded. Error code: `TOO_MANY_FRAGMENT_SPREADS`.
  package var fragmentSpreads: Int {
    get { validation.limits.fragmentSpreads }
    set { validation.limits.fragmentSpreads = newValue }
  }
  /// Nesting depth of the lists of introspection, such as `fields` and `possibleTypes`. A document at this depth is
  /// rejected. Error code: `INTROSPECTION_TOO_DEEP`.
  package var introspectionLists: Int {
    get { validation.limits.introspectionLists }
    set { validation.limits.introspectionLists = newValue }
  }
  /// Steps of the parts of validation whose cost can grow faster than the document. A step takes 10 to 80 ns. Error
  /// code: `VALIDATION_BUDGET_EXCEEDED`.
  package var validationSteps: Int {
    get { validation.budget }
    set { validation.budget = newValue }
  }
  /// Fields of all selection sets, for each possible type of an abstract type. Error code: `TOO_MANY_FIELDS`.
  package var fields: Int {
    get { planning.fields }
    set { planning.fields = newValue }
  }
  /// The sum of the weights of the resolved fields, and also that of the returned objects, by `@cost` and `@listSize`.
  /// Error code: `COST_EXCEEDED`.
  package var cost: Int {
    // The largest integer is stored as a number that is too large for an integer.
    get { Int(exactly: planning.cost.fields.rounded(.down)) ?? .max }
    set { planning.cost = OperationCost(fields: Double(newValue), objects: Double(newValue)) }
  }
  /// Bytes written for a response, including those removed when null propagates. Error code: `RESPONSE_TOO_LARGE`.
  package var responseBytes: Int {
    get { execution.responseBytes }
    set { execution.responseBytes = newValue }
  }
  /// Scalars, list items, keys and objects in the variables that an operation declares. Error code:
  /// `TOO_MANY_VARIABLE_VALUES`.
  package var variableValues: Int {
    get { execution.variableValues }
    set { execution.variableValues = newValue }
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
