/// An operation of a document that has been parsed and validated, with the plans made for it so far. Confined to its
/// loop.
package final class PreparedOperation {
  package let document: Document
  package let type: OperationType
  package let name: String?
  package let variables: [VariableDefinition]
  private let operation: NodeIndex
  private let fragments: Fragments
  let limits: PlanLimits
  /// The variables on which `@skip` and `@include` hang: each combination of their values has a plan of its own, so
  /// that executing one asks no questions.
  private let conditions: [String]
  private var plans: [[Bool?]: OperationPlan] = [:]
  /// The plan of an operation without such variables.
  private var onlyPlan: OperationPlan?
  /// Why an operation without variables has no plan: it has none the next time either.
  private var failure: GraphQLError?
  /// The last plan that is good for certain variables only: tools ask about the same types again and again.
  private var latest: (values: VariableValues, plan: OperationPlan)?
  /// About how many bytes it takes with the plans that it keeps.
  private(set) var byteCount: Int { didSet { footprint?.bytes += byteCount - oldValue } }
  /// That of the cache which keeps it: it grows after it was put there, with the plans that requests have it make.
  var footprint: CacheFootprint? {
    didSet {
      oldValue?.bytes -= byteCount
      footprint?.bytes += byteCount
    }
  }
  /// Answers about the schema that are longer are written anew for each request, rather than kept for each document.
  private static let maximumIntrospectionBytes = 64 << 10
  /// Past as many plans, or as many bytes with all of them, a combination is planned anew for each request.
  private static let maximumPlans = 16
  private static let maximumBytes = 8 << 20

  package init(
    document: Document,
    operation: NodeIndex,
    executable: ExecutableSchema,
    limits: PlanLimits
  ) throws(GraphQLErrors) {
    self.document = document
    self.operation = operation
    self.limits = limits
    type = OperationType(document[operation].flags)
    name = document[operation].nameLength > 0 ? document.name(operation) : nil
    fragments = Fragments(document)
    variables = try Self.definitions(of: operation, in: document, executable.schema)
    conditions = Self.conditions(of: document, among: variables.map(\.name))
    byteCount = document.source.bytes.count + document.nodes.count * MemoryLayout<Node>.stride
  }

  /// Room for an answer like the last ones, so that writing it need not look for more.
  private(set) var expectedBytes = 2048
  /// Room is made in advance up to this; an answer beyond it finds its own.
  private static let maximumExpectedBytes = 256 << 10

  func expect(_ bytes: Int) {
    let needed = min(bytes + bytes / 8 + 64, Self.maximumExpectedBytes)
    // Grown at once, shrunk slowly.
    expectedBytes = max(needed, expectedBytes - expectedBytes / 16)
  }

  package func plan(for values: VariableValues, _ executable: ExecutableSchema) throws(GraphQLError) -> OperationPlan {
    if let onlyPlan { return onlyPlan }
    if let failure { throw failure }
    if let plan = knownPlan(for: values) { return plan }
    do throws(GraphQLError) {
      return try makePlan(for: values, executable)
    } catch {
      if variables.isEmpty { failure = error }
      throw error
    }
  }

  /// Whether `plan(for:_:)` makes a plan with these variables, and does not only look one up.
  package func needsPlan(for values: VariableValues) -> Bool {
    onlyPlan == nil && failure == nil && knownPlan(for: values) == nil
  }

  private func knownPlan(for values: VariableValues) -> OperationPlan? {
    if let latest, latest.values == values { return latest.plan }
    return plans[truths(of: values)]
  }

  private func truths(of values: VariableValues) -> [Bool?] { conditions.map { values[$0]?.boolean } }

  private func makePlan(
    for values: VariableValues,
    _ executable: ExecutableSchema
  ) throws(GraphQLError) -> OperationPlan {
    let truths = truths(of: values)
    let plan = try Planner.plan(
      operation,
      of: document,
      fragments: fragments,
      conditions: Dictionary(uniqueKeysWithValues: zip(conditions, truths)).compactMapValues(\.self),
      variables: values,
      against: executable,
      limits: limits
    )
    if !plan.costHangsOnVariables {
      try SlicingArguments.check(plan, of: document, .none)
      if let excess = CostAnalysis.cost(of: plan, { $0.constantArguments }).excess(over: limits.cost) { throw excess }
    }
    keep(plan, truths, values)
    return plan
  }

  private func keep(_ plan: OperationPlan, _ truths: [Bool?], _ values: VariableValues) {
    if plan.dependsOnVariables {
      guard plan.constants.count <= Self.maximumIntrospectionBytes else { return }
      byteCount += plan.byteCount - (latest?.plan.byteCount ?? 0)
      latest = (values, plan)
      return
    }
    guard plans.count < Self.maximumPlans, byteCount + plan.byteCount <= Self.maximumBytes else { return }
    if conditions.isEmpty { onlyPlan = plan } else { plans[truths] = plan }
    byteCount += plan.byteCount
  }

  /// The whole answer, where it hangs on nothing but the schema; known once the operation has been executed.
  package var constantAnswer: [UInt8]? { variables.isEmpty ? onlyPlan?.constantAnswer : nil }

  /// The same as a transport has compressed it, kept here for as long as the operation; empty where that saves nothing.
  package var compressedAnswer: [UInt8]? {
    didSet { byteCount += (compressedAnswer?.count ?? 0) - (oldValue?.count ?? 0) }
  }

  private static func definitions(
    of operation: NodeIndex,
    in document: Document,
    _ schema: Schema
  ) throws(GraphQLErrors) -> [VariableDefinition] {
    var definitions: [VariableDefinition] = []
    let nodes = document.children(of: operation, .variableDefinition)
    let locations = document.source.locations(at: nodes.map { document.nodes[$0].start })
    for node in nodes {
      guard let typeNode = document.type(of: node), let type = schema.reference(typeNode, in: document),
        schema[type.type].isInput
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

  /// Every variable that stands in a `@skip` or `@include` anywhere in the document.
  private static func conditions(of document: Document, among variables: [String]) -> [String] {
    var found: [String] = []
    var unknown = Set(variables)
    for (index, node) in document.nodes.enumerated() where node.kind == .directive {
      let name = document.name(index)
      guard name == "skip" || name == "include", let argument = document.firstChild(of: index, .argument),
        let value = document.value(of: argument), document[value].kind == .variable,
        let variable = unknown.remove(document.name(value))
      else { continue }
      found.append(variable)
    }
    return found
  }
}
