import Synchronization

/// An operation of a parsed and validated document, with the plans made for it so far. Confined to its event loop.
package final class PreparedOperation {
  /// Different for every operation of the process.
  package let number = PreparedOperation.numbers.wrappingAdd(1, ordering: .relaxed).newValue
  private static let numbers = Atomic<UInt64>(0)
  package let document: Document
  package let type: OperationType
  package let name: String?
  package let variables: VariableDefinitions
  private let executable: ExecutableSchema
  private let operation: NodeIndex
  private let fragments: Fragments
  let limits: PlanLimits
  /// The highest cost at which the operation is executed.
  package var costLimit: OperationCost { limits.cost }
  /// The variables used in conditions, such as those of `@skip`. Each combination of their values has its own plan, so
  /// that execution evaluates no conditions.
  private let conditions: [String]
  /// Whether the operation is a query with `@defer` or `@stream`. It has a plan for incremental delivery, and another
  /// one for complete responses.
  package let canBeIncremental: Bool
  private let usesIncrementalDirectives: Bool
  private var plans: [[Bool?]: OperationPlan] = [:]
  /// The plan of an operation without variables in conditions.
  private var onlyPlan: OperationPlan?
  /// The errors of planning an operation without variables, with and without incremental delivery. Planning it again
  /// would fail with the same error.
  private var failures: [Bool: GraphQLError] = [:]
  /// The last plan that is valid only for certain variables. Tools query the same types repeatedly.
  private var latest: (values: VariableValues, isIncremental: Bool, plan: OperationPlan)?
  /// The keys of the plans that open subscriptions use.
  private var subscribedKeys: Set<[Bool?]> = []
  /// Whether a cache has evicted the operation. Only subscriptions are charged for its plans then.
  private var isEvicted = false
  /// The approximate size in memory, including stored plans.
  private(set) var byteCount: Int { didSet { footprint?.bytes += byteCount - oldValue } }
  /// The approximate size in memory without plans.
  private let documentBytes: Int
  /// The footprint of the cache that contains the operation. The operation grows after insertion, when requests make
  /// further plans.
  var footprint: CacheFootprint? {
    didSet {
      oldValue?.bytes -= byteCount
      isEvicted = footprint == nil
      if isEvicted { removeUnusedPlans() }
      footprint?.bytes += byteCount
    }
  }
  /// Longer introspection results are not stored in plans, but written for each request.
  private static let maximumIntrospectionBytes = 64 << 10
  /// Beyond this number of plans, or this total size, a further combination is planned for each request.
  private static let maximumPlans = 16
  private static let maximumBytes = 8 << 20

  package init(
    document: Document,
    operation: NodeIndex,
    executable: ExecutableSchema,
    limits: PlanLimits
  ) throws(GraphQLErrors) {
    self.document = document
    self.executable = executable
    self.operation = operation
    self.limits = limits
    type = OperationType(document[operation].flags)
    name = document[operation].nameLength > 0 ? document.name(operation) : nil
    fragments = Fragments(document)
    variables = VariableDefinitions(
      try Self.definitions(of: operation, in: document, executable.schema),
      in: executable.schema
    )
    let isUsed = IncrementalDirective.isUsed(in: document, of: executable.schema)
    usesIncrementalDirectives = isUsed
    canBeIncremental = type == .query && isUsed
    conditions = Self.conditions(of: document, among: variables.names)
    documentBytes = document.source.bytes.count + document.nodes.count * MemoryLayout<Node>.stride
    byteCount = documentBytes
  }

  /// The buffer capacity for a response as large as the previous ones, which avoids growing the buffer.
  private(set) var expectedBytes = 2048
  /// The maximum capacity that is reserved in advance.
  private static let maximumExpectedBytes = 256 << 10

  func recordResponseSize(_ bytes: Int) {
    let needed = min(bytes + bytes / 8 + 64, Self.maximumExpectedBytes)
    // Grows immediately and shrinks slowly.
    expectedBytes = max(needed, expectedBytes - expectedBytes / 16)
  }

  /// - Parameter isIncremental: Whether the client accepts incremental delivery.
  package func plan(
    for values: VariableValues,
    isIncremental: Bool = false
  ) throws(GraphQLError) -> OperationPlan {
    if let onlyPlan { return onlyPlan }
    let isIncremental = isIncremental && canBeIncremental
    if let failure = failures[isIncremental] { throw failure }
    if let plan = knownPlan(for: values, isIncremental: isIncremental) { return plan }
    do throws(GraphQLError) {
      return try makePlan(for: values, isIncremental: isIncremental)
    } catch {
      if variables.isEmpty { failures[isIncremental] = error }
      throw error
    }
  }

  /// Identifies a complete plan among those of all operations of the process.
  struct PlanID: Hashable {
    let operation: UInt64
    let conditions: [Bool?]
  }

  func planID(for values: VariableValues) -> PlanID {
    PlanID(operation: number, conditions: conditionValues(of: values))
  }

  /// The approximate size in memory with only one plan, which is made if it is not stored.
  func byteCount(for values: VariableValues) -> Int { documentBytes + ((try? plan(for: values))?.byteCount ?? 0) }

  /// Whether `plan(for:isIncremental:)` makes a plan with these variables, and does not only look one up.
  package func needsPlan(for values: VariableValues, isIncremental: Bool) -> Bool {
    let isIncremental = isIncremental && canBeIncremental
    return onlyPlan == nil && failures[isIncremental] == nil
      && knownPlan(for: values, isIncremental: isIncremental) == nil
  }

  private func knownPlan(for values: VariableValues, isIncremental: Bool) -> OperationPlan? {
    if let latest, latest.values == values, latest.isIncremental == isIncremental { return latest.plan }
    return plans[planKey(for: values, isIncremental: isIncremental)]
  }

  /// Nil for null. Only a variable of `@defer` or `@stream` can have no value, which stands for the default value of
  /// the argument, true.
  private func conditionValues(of values: VariableValues) -> [Bool?] {
    conditions.map { name in
      guard let value = values[name] else { return true }
      return value.boolean
    }
  }

  private func planKey(for values: VariableValues, isIncremental: Bool) -> [Bool?] {
    let conditions = conditionValues(of: values)
    return canBeIncremental ? conditions + [isIncremental] : conditions
  }

  private func makePlan(
    for values: VariableValues,
    isIncremental: Bool
  ) throws(GraphQLError) -> OperationPlan {
    let conditionValues = conditionValues(of: values)
    let plan = try Planner.plan(
      operation,
      of: document,
      fragments: fragments,
      conditions: conditions.isEmpty
        ? [:] : Dictionary(uniqueKeysWithValues: zip(conditions, conditionValues)).compactMapValues(\.self),
      variables: values,
      against: executable,
      limits: limits,
      usesIncrementalDirectives: usesIncrementalDirectives,
      isIncremental: isIncremental
    )
    if !plan.costDependsOnVariables {
      try SlicingArguments.check(plan, of: document, .none)
      let cost = CostAnalysis.cost(of: plan, { $0.constantArguments })
      if let error = cost.error(ifOver: limits.cost) { throw error }
    }
    keep(plan, values: values, isIncremental: isIncremental)
    return plan
  }

  private func keep(_ plan: OperationPlan, values: VariableValues, isIncremental: Bool) {
    let key = planKey(for: values, isIncremental: isIncremental)
    // An execution can still run when its subscription has ended, and plan again. An operation without subscriptions is
    // released with the requests that hold it.
    guard !isEvicted || subscribedKeys.isEmpty || subscribedKeys.contains(key) else { return }
    if plan.dependsOnVariables {
      guard plan.constants.count <= Self.maximumIntrospectionBytes else { return }
      byteCount += plan.byteCount - (latest?.plan.byteCount ?? 0)
      latest = (values, isIncremental, plan)
      return
    }
    keep(plan, for: key)
  }

  private func keep(_ plan: OperationPlan, for key: [Bool?]) {
    guard plans.count < Self.maximumPlans, byteCount + plan.byteCount <= Self.maximumBytes else { return }
    if key.isEmpty { onlyPlan = plan } else { plans[key] = plan }
    byteCount += plan.byteCount
  }

  /// Keeps the plan for these variables in memory after an eviction, too, until `releasePlan(for:)`: open subscriptions
  /// use it.
  func retainPlan(for values: VariableValues) { subscribedKeys.insert(planKey(for: values, isIncremental: false)) }

  /// Ends `retainPlan(for:)`: no subscription uses the plan any more.
  func releasePlan(for values: VariableValues) {
    subscribedKeys.remove(planKey(for: values, isIncremental: false))
    if isEvicted { removeUnusedPlans() }
  }

  /// Removes the plans that no subscription uses, except an only one. Subscriptions keep an evicted operation in
  /// memory, for which requests may have made other plans.
  private func removeUnusedPlans() {
    for (key, plan) in plans where !subscribedKeys.contains(key) {
      plans[key] = nil
      byteCount -= plan.byteCount
    }
    guard let latest else { return }
    let key = planKey(for: latest.values, isIncremental: latest.isIncremental)
    if !subscribedKeys.contains(key) {
      byteCount -= latest.plan.byteCount
      self.latest = nil
    }
  }

  /// Adopts the plans of an operation that was prepared from the same document.
  func adoptPlans(of other: PreparedOperation) {
    guard other !== self, onlyPlan == nil else { return }
    if let (values, isIncremental, plan) = other.latest { keep(plan, values: values, isIncremental: isIncremental) }
    if let plan = other.onlyPlan { keep(plan, for: []) }
    for (key, plan) in other.plans where plans[key] == nil { keep(plan, for: key) }
  }

  /// The complete response, if it depends only on the schema and the operation has been executed before.
  package var constantResponse: [UInt8]? { variables.isEmpty ? onlyPlan?.constantResponse : nil }

  /// `constantResponse` as compressed by a transport, stored with the operation. Empty if compression saves nothing.
  package var compressedConstantResponse: [UInt8]? {
    didSet { byteCount += (compressedConstantResponse?.count ?? 0) - (oldValue?.count ?? 0) }
  }

  private static func definitions(
    of operation: NodeIndex,
    in document: Document,
    _ schema: Schema
  ) throws(GraphQLErrors) -> [VariableDefinition] {
    var definitions: [VariableDefinition] = []
    let nodes = Array(document.children(of: operation, .variableDefinition))
    // In one pass for all; most operations have one.
    let locations = nodes.count > 1 ? document.source.locations(at: nodes.map { document.nodes[$0].start }) : [:]
    for node in nodes {
      guard let typeNode = document.type(of: node),
        let type = schema.index.reference(typeNode, nodes: document.nodes, bytes: document.source.bytes),
        schema.index.types[type.type.index].isInput
      else {
        throw GraphQLErrors([
          GraphQLError(
            "Variable \"$\(document.name(node))\" has a type that is not an input type of this schema.",
            at: [document.location(node)],
            code: .validationFailed
          )
        ])
      }
      var defaultValue: InputValue?
      if let literal = document.value(of: node) {
        do {
          defaultValue = try LiteralCoercion(schema: schema, document: document, variables: nil)
            .coerce(literal, to: type)
        } catch {
          throw GraphQLErrors([
            GraphQLError(error.message, at: [document.location(literal)], code: .validationFailed)
          ])
        }
      }
      definitions.append(
        VariableDefinition(
          name: document.name(node),
          type: type,
          defaultValue: defaultValue,
          location: locations[document.nodes[node].start] ?? document.location(node)
        )
      )
    }
    return definitions
  }

  /// The variables used in `@skip` and `@include`, and in `if` of `@defer` and `@stream`, anywhere in the document.
  private static func conditions(of document: Document, among variables: [String]) -> [String] {
    var found: [String] = []
    var unknown = Set(variables)
    for (index, node) in document.nodes.enumerated() where node.kind == .directive {
      let name = document.name(index)
      guard name == "skip" || name == "include" || IncrementalDirective.Name(rawValue: name) != nil,
        let argument = document.children(of: index, .argument).first(where: { document.name($0) == "if" }),
        let value = document.value(of: argument), document[value].kind == .variable,
        let variable = unknown.remove(document.name(value))
      else { continue }
      found.append(variable)
    }
    return found
  }
}
