/// Makes the plan of an operation in a valid document: collects the fields of its selection sets for each object type,
/// then creates the plan from them.
struct Planner {
  let executable: ExecutableSchema
  let schema: Schema
  let document: Document
  let fragments: Fragments
  let conditions: [String: Bool]
  let variables: VariableValues
  let limits: PlanLimits
  private var visitsLeft: Int

  var sets: [SelectionSetPlan?] = []
  var drafts: [FieldDraft] = []
  var operations: [WriteOperation] = []
  var columns: [UInt64]
  var constants: [UInt8] = []
  var enumerationNames: [ConstantRange] = []
  var enumerations: [[String]: ConstantRange] = [:]
  var setsByType: [Int32] = []
  var dependsOnVariables = false
  var calls = FieldCallDrafts()
  var arguments = ArgumentDrafts()
  /// What is delivered after the initial response. Nil if the response is complete.
  var incremental: IncrementalPlan?
  /// Memoized sets: equal nodes on the same type at the same depth are one set, whatever parent types lead to it.
  /// Without it, the work for nested abstract types would grow exponentially with their depth.
  private var known: [SetIdentity: Int] = [:]

  private struct SetIdentity: Hashable {
    let nodes: [NodeIndex]
    let type: TypeID
    let depth: Int
    let deferral: SetDeferral
  }

  /// The uses of `@defer` around a selection set. Empty unless fragments are deferred.
  struct SetDeferral: Hashable {
    /// The use that contains each node of the set.
    var usages: [Int] = []
    /// The uses with which the object is delivered.
    var parents: [Int] = []
  }

  static func plan(
    _ operation: NodeIndex,
    of document: Document,
    fragments: Fragments,
    conditions: [String: Bool],
    variables: VariableValues,
    against executable: ExecutableSchema,
    limits: PlanLimits,
    isIncremental: Bool = false
  ) throws(GraphQLError) -> OperationPlan {
    var planner = Planner(
      executable: executable,
      document: document,
      fragments: fragments,
      conditions: conditions,
      variables: variables,
      limits: limits
    )
    if isIncremental {
      planner.incremental = IncrementalPlan()
      planner.dependsOnVariables = IncrementalDirective.countsDependOnVariables(in: document)
    }
    let type = OperationType(document[operation].flags)
    guard let root = executable.schema.rootType(type), let set = document.firstChild(of: operation, .selectionSet)
    else {
      throw GraphQLError(
        "Schema is not configured to execute \(type.rawValue) operation.",
        at: [document.location(operation)],
        code: .validationFailed
      )
    }
    try planner.requireAffordableRootFields(of: set, on: root)
    _ = try planner.set(of: [set], SetDeferral(), on: root, depth: 1)
    return planner.finish(type)
  }

  private init(
    executable: ExecutableSchema,
    document: Document,
    fragments: Fragments,
    conditions: [String: Bool],
    variables: VariableValues,
    limits: PlanLimits
  ) {
    self.executable = executable
    schema = executable.schema
    self.document = document
    self.fragments = fragments
    self.conditions = conditions
    self.variables = variables
    self.limits = limits
    visitsLeft = limits.visits
    columns = Array(repeating: 0, count: executable.schema.types.count)
  }

  private func finish(_ type: OperationType) -> OperationPlan {
    let made = calls.finish()
    let fields = drafts.map { draft in
      FieldPlan(
        responseKey: draft.responseKey,
        type: draft.type,
        nodes: draft.nodes,
        call: draft.call.flatMap { made.call($0) },
        coordinate: draft.coordinate
      )
    }
    return OperationPlan(
      executable: executable,
      operationType: type,
      sets: sets.compactMap { $0 },
      fields: fields,
      loads: made.calls[.objects] ?? [],
      leaves: made.calls[.leaf] ?? [],
      operations: operations,
      constants: constants,
      enumerationNames: enumerationNames,
      setsByType: setsByType,
      columns: columns,
      dynamicArgumentCount: made.dynamicArgumentCount,
      dependsOnVariables: dependsOnVariables,
      incremental: incremental.flatMap { $0.isEmpty ? nil : $0 }
    )
  }

  // MARK: Sets

  mutating func set(
    of nodes: [NodeIndex],
    _ deferral: SetDeferral,
    on type: TypeID,
    depth: Int
  ) throws(GraphQLError) -> Int {
    let identity = SetIdentity(nodes: nodes, type: type, depth: depth, deferral: deferral)
    if let index = known[identity] { return index }
    guard depth <= limits.depth else { throw .operationTooDeep(limits, at: document.location(nodes[0])) }
    let index = sets.count
    known[identity] = index
    sets.append(nil)

    let (groups, declared) = try collect(nodes, usages: deferral.usages, for: type)
    if incremental == nil {
      try plan(groups, as: index, parents: [], on: type, depth: depth)
    } else {
      try planDeferred(groups, declared: declared, as: index, parents: deferral.parents, on: type, depth: depth)
    }
    return index
  }

  /// The fields of a selection set, and the uses of `@defer` that it contains.
  ///
  /// This is not a part of `set(of:_:on:depth:)` because that function recurses, and needs a small stack frame.
  private mutating func collect(
    _ nodes: [NodeIndex],
    usages: [Int],
    for type: TypeID
  ) throws(GraphQLError) -> (groups: [FieldCollection.Group], declared: Range<Int>) {
    var collection = FieldCollection(
      schema: schema,
      document: document,
      fragments: fragments,
      conditions: conditions,
      usages: incremental?.usages,
      variables: variables
    )
    try collection.collect(nodes, in: usages, for: type, limit: visitsLeft)
    visitsLeft -= collection.visits
    guard visitsLeft >= 0 else { throw .tooManyFields(limits, at: document.location(nodes[0])) }
    guard let known = incremental?.usages.count, let found = collection.usages else {
      return (collection.groups, 0..<0)
    }
    guard found.count <= limits.deferredFragments else { throw .tooManyDeferredFragments(limits) }
    incremental?.usages = found
    return (collection.groups, known..<found.count)
  }

  /// Plans the fields of a selection set.
  /// - Parameter deferral: The instruction for what the set defers, which comes first.
  mutating func plan(
    _ groups: [FieldCollection.Group],
    as index: Int,
    parents: [Int],
    on type: TypeID,
    depth: Int,
    deferral: WriteOperation? = nil
  ) throws(GraphQLError) {
    var own: [WriteOperation] = []
    var composite: [CompositeField] = []
    var leaves: [Int] = []
    for group in groups {
      let operation = try field(group, parents: parents, of: type, isFirst: own.isEmpty, depth: depth)
      own.append(operation)
      if operation.givesObjects {
        composite.append(
          CompositeField(field: Int(operation.field), load: Int(operation.source), sets: choice(of: operation))
        )
      } else if operation.isComputed {
        leaves.append(Int(operation.source))
      }
    }
    let start = operations.count
    if let deferral { operations.append(deferral) }
    operations += own
    sets[index] = SelectionSetPlan(
      type: type,
      operations: start..<operations.count,
      composite: composite,
      leaves: leaves
    )
  }

  /// Adds a selection set, to be planned by `plan(_:as:parents:on:depth:deferral:)`.
  mutating func addSet() -> Int {
    sets.append(nil)
    return sets.count - 1
  }

  /// Fails before planning if the root fields alone, without their arguments and selections, exceed the cost limit.
  /// Planning a hundred sign-in fields takes a millisecond.
  ///
  /// This is not a part of `set(of:_:on:depth:)` because that function recurses, and needs a small stack frame.
  private func requireAffordableRootFields(of set: NodeIndex, on type: TypeID) throws(GraphQLError) {
    guard !executable.weights.hasNegativeWeights else { return }
    var collection = FieldCollection(
      schema: schema,
      document: document,
      fragments: fragments,
      conditions: conditions
    )
    try collection.collect([set], for: type, limit: visitsLeft)
    var cost = OperationCost(fields: 0, objects: 0)
    for group in collection.groups {
      guard let index = schema[type].fieldNames.index(of: group.nodes[0], in: document) else { continue }
      cost.fields += executable.weights.fields[type.index][index].field
    }
    if let error = cost.error(ifOver: limits.cost, isLowerBound: true) { throw error }
  }

  func choice(of operation: WriteOperation) -> SetChoice {
    if operation.kind == .streamedObjects { return .streamed(Int(operation.extra.start)) }
    if operation.kind == .abstractObjects { return .byType(start: Int(operation.extra.start)) }
    return .one(type: drafts[Int(operation.field)].type.type.index, set: Int(operation.extra.start))
  }
}
