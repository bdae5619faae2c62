/// The state of the validation of one document: the input of the rules and the errors found.
struct Validation {
  let document: Document
  let nodes: [Node]
  let bytes: [UInt8]
  let schema: Schema
  let index: SchemaIndex
  let options: ValidationOptions

  var violations: Violations
  private var stepsLeft: Int
  private(set) var isBudgetSpent = false

  // Collected by the walk, for the rules that run after it.

  /// The definitions of fields and spreads, indexed by node.
  var selected: [Selected]
  var definitions: [ExecutableDefinition] = []
  var fragments = FragmentTable()
  var spreads: [FragmentSpread] = []
  var variables: [VariableUsage] = []
  var hasVariableDefinitions = false
  /// Fields named `__schema` or `__type`.
  var introspections: [NodeIndex] = []
  /// Selection sets in which a response key may occur twice.
  var overlapping: [NodeIndex] = []
  var aliasCount = 0
  /// The uses of `@defer` and `@stream`.
  var incrementalUses: [IncrementalUse] = []

  var names = NodeNames()

  init(_ document: Document, schema: Schema, options: ValidationOptions) {
    self.document = document
    nodes = document.nodes
    bytes = document.source.bytes
    self.schema = schema
    index = schema.index
    self.options = options
    violations = Violations(maximum: options.maximumErrors)
    stepsLeft = options.budget
    selected = Array(repeating: Selected(), count: document.nodes.count)
    definitions.reserveCapacity(8)
  }

  mutating func run() {
    collectDefinitions()
    walkDocument()
    AliasLimit.check(in: &self)
    if !fragments.isEmpty || !spreads.isEmpty {
      let graph = FragmentGraph(exploring: &self)
      NoFragmentCycles.check(graph, in: &self)
      NoUnusedFragments.check(graph, in: &self)
      OperationLimits.check(graph, in: &self)
    } else {
      OperationLimits.check(nil, in: &self)
    }
    if hasVariableDefinitions || !variables.isEmpty { checkVariables() }
    if !incrementalUses.isEmpty { IncrementalDirectives.check(in: &self) }
    if !introspections.isEmpty { IntrospectionDepthLimit.check(in: &self) }
    // A document that exceeds a limit is rejected anyway, and the remaining rules depend on the limits.
    let isRejected = violations.isFull || violations.list.contains { $0.rule == .limits }
    if !isRejected && !overlapping.isEmpty { OverlappingFieldsCanBeMerged.check(in: &self) }
    if isBudgetSpent { reportBudget() }
  }

  /// Spends steps of the budget on work that can grow faster than the document. Returns false if the budget is spent;
  /// the caller must then stop.
  @inline(__always)
  mutating func spend(_ steps: Int = 1) -> Bool {
    stepsLeft &-= steps
    if stepsLeft < 0 {
      isBudgetSpent = true
      return false
    }
    return true
  }

  private mutating func reportBudget() {
    let budget = options.budget
    violations.append(.limits, order: .documentEntered, at: [], code: .validationBudgetExceeded) {
      "Validating the document takes more than \(budget) steps. Validation aborted."
    }
  }
}

/// The definition of a selection.
struct Selected {
  /// The index of the parent type in `SchemaIndex`, or none.
  var parent = Int32(SchemaIndex.none)
  /// The index of a field in `SchemaIndex`, or of a spread's fragment in `FragmentTable`, or none.
  var definition = Int32(SchemaIndex.none)
}

/// An operation or a fragment, with the spreads and variable usages in it.
struct ExecutableDefinition {
  let node: NodeIndex
  /// The index in `FragmentTable`; none for operations.
  let fragment: Int
  var spreads: Range<Int>
  var variables: Range<Int>
  /// Levels of nested fields, and the number of root fields, without fragments.
  var depth = 0
  var rootFields = 0

  var isOperation: Bool { fragment < 0 }
}

struct FragmentSpread {
  let node: NodeIndex
  /// The index of the fragment in `FragmentTable`, or -1.
  let fragment: Int
  /// The level of fields at which the spread occurs; 1 at the root of the definition.
  let depth: Int
}

struct VariableUsage {
  let node: NodeIndex
  /// The type expected at the location, or nil if it is unknown.
  let type: TypeReference?
  let locationHasDefault: Bool
  /// The index of the `@oneOf` input object of which it is a field, or none.
  let oneOf: Int
}

// MARK: Names, text and errors

extension Validation {
  /// A name as shown in messages, truncated to bound their length.
  func name(_ node: NodeIndex) -> String {
    let limit = 200
    let named = nodes[node]
    guard named.nameLength > limit else { return document.name(node) }
    return String(decoding: bytes[Int(named.nameStart)..<(Int(named.nameStart) + limit)], as: UTF8.self) + "…"
  }

  func typeName(_ type: Int) -> String { schema.types[type].name }

  func printed(_ value: NodeIndex) -> String { Printer.print(value, of: document) }

  /// ` Did you mean …?`, or an empty string if no name is similar or introspection is disabled.
  func didYouMean(
    _ input: String,
    among options: @autoclosure () -> [String],
    purpose: String = ""
  ) -> String {
    self.options.allowsIntrospection
      ? Suggestions.didYouMean(purpose, suggestions: Suggestions.list(for: input, among: options())) : ""
  }

  /// Reports an error found when entering `node`, located at its start.
  mutating func report(_ rule: ValidationRule, at node: NodeIndex, _ message: () -> String) {
    violations.append(rule, order: .entering(node), at: [nodes[node].start], message)
  }
}
