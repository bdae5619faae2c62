/// Makes the plan of an operation in a valid document: collects the fields of its selection sets for each object type,
/// then creates the plan from them.
struct Planner: ~Copyable {
  let executable: ExecutableSchema
  let schema: Schema
  let document: Document
  let fragments: Fragments
  let conditions: [String: Bool]
  let variables: VariableValues
  let limits: PlanLimits
  /// Whether the document uses `@defer` or `@stream`. Their arguments are checked even if the response is complete.
  let usesIncrementalDirectives: Bool

  var collection: FieldCollection
  var sets: [SelectionSetPlan] = []
  var compositeFields: [CompositeField] = []
  var leafSlots: [Int] = []
  var fields: [FieldPlan] = []
  var operations: [WriteOperation] = []
  /// The instructions of the sets that are being planned, those of each set after those of its parent.
  var pending: [WriteOperation] = []
  var columns: [UInt64]
  var constants = Array("{\"data\":{".utf8)
  var enumerationNames: [ConstantRange] = []
  var enumerations: [TypeID: ConstantRange] = [:]
  var setsByType: [Int32] = []
  /// The set of objects of which nothing is selected, whatever their type.
  var emptySet: Int?
  var dependsOnVariables = false
  var calls: FieldCallDrafts
  var arguments = ArgumentDrafts()
  var partialIntrospections: [PartialIntrospection] = []
  /// The length of the results of `partialIntrospections`, which are not among the constants.
  var partialBytes = 0
  /// What is delivered after the initial response. Nil if the response is complete.
  var incremental: IncrementalPlan?
  /// Memoized sets: equal fields on the same type at the same depth have one set, whatever parent types lead to it. For
  /// an abstract type, the start of its sets in `setsByType`.
  /// Without it, the work for nested abstract types would grow exponentially with their depth.
  var known = SmallDictionary<SetIdentity, Int>()

  /// The document, fragments, conditions and variables are passed on from initializer to initializer as parameters, not
  /// as one value: copies of that value made the stack frames of debug builds so large that nested `@defer` overflowed
  /// the small stack of a thread.
  static func plan(
    _ operation: NodeIndex,
    of document: Document,
    fragments: Fragments,
    conditions: [String: Bool],
    variables: VariableValues,
    against executable: ExecutableSchema,
    limits: PlanLimits,
    usesIncrementalDirectives: Bool = false,
    isIncremental: Bool = false
  ) throws(GraphQLError) -> OperationPlan {
    var planner = Planner(
      operation,
      executable: executable,
      document: document,
      fragments: fragments,
      conditions: conditions,
      variables: variables,
      limits: limits,
      usesIncrementalDirectives: usesIncrementalDirectives,
      isIncremental: isIncremental
    )
    let type = OperationType(document[operation].flags)
    guard let root = executable.schema.rootType(type) else {
      throw GraphQLError(
        "Schema is not configured to execute \(type.rawValue) operation.",
        at: [document.location(operation)],
        code: .validationFailed
      )
    }
    _ = try planner.set(of: NodeList(operation), SetDeferral(), on: root, depth: 1)
    return planner.finish(type)
  }

  private init(
    _ operation: NodeIndex,
    executable: ExecutableSchema,
    document: Document,
    fragments: Fragments,
    conditions: [String: Bool],
    variables: VariableValues,
    limits: PlanLimits,
    usesIncrementalDirectives: Bool,
    isIncremental: Bool
  ) {
    self.executable = executable
    schema = executable.schema
    self.document = document
    self.fragments = fragments
    self.conditions = conditions
    self.variables = variables
    self.limits = limits
    self.usesIncrementalDirectives = usesIncrementalDirectives
    columns = Array(repeating: 0, count: executable.schema.types.count)
    // Most operations have as many fields as half of their nodes, and fewer selection sets and calls.
    let nodes = Int(document[operation].subtreeEnd) - operation
    fields.reserveCapacity(nodes / 2)
    operations.reserveCapacity(nodes / 2)
    constants.reserveCapacity(nodes * 8)
    pending.reserveCapacity(nodes / 4)
    sets.reserveCapacity(nodes / 2)
    compositeFields.reserveCapacity(nodes / 8)
    calls = FieldCallDrafts(capacity: nodes / 8)
    collection = FieldCollection(
      schema: executable.schema,
      document: document,
      fragments: fragments,
      conditions: conditions,
      usages: isIncremental ? [] : nil,
      checksDeferral: usesIncrementalDirectives,
      variables: variables
    )
    if isIncremental { incremental = IncrementalPlan() }
    if usesIncrementalDirectives {
      dependsOnVariables = IncrementalDirective.countsDependOnVariables(in: document)
    }
  }

  private mutating func finish(_ type: OperationType) -> OperationPlan {
    constants += "}}".utf8
    let made = calls.finish()
    if let usages = collection.usages { incremental?.usages = usages }
    return OperationPlan(self, operationType: type, calls: made)
  }
}
