/// The validation of one document: what the rules know and what they have found.
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

  // What the walk notes for the rules that follow it.

  /// By node, for fields and spreads.
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

  var names = NodeNames()

  init(_ document: Document, _ schema: Schema, _ options: ValidationOptions) {
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
    if !introspections.isEmpty { IntrospectionDepthLimit.check(in: &self) }
    // Past a limit the document is refused anyway, and what follows relies on its bounds.
    let isRejected = violations.isFull || violations.list.contains { $0.rule == .limits }
    if !isRejected && !overlapping.isEmpty { OverlappingFieldsCanBeMerged.check(in: &self) }
    if isBudgetSpent { reportBudget() }
  }

  /// Pays for work that can grow faster than the document; false once there is nothing left to pay with. The caller
  /// then stops.
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
    violations.append(.limits, .documentEntered, at: [], code: .validationBudgetExceeded) {
      "Validating the document takes more than \(budget) steps. Validation aborted."
    }
  }
}

/// What a selection selects.
struct Selected {
  /// The type that it is selected on, by its place in `SchemaIndex`, or none.
  var parent = Int32(SchemaIndex.none)
  /// A field's place in `SchemaIndex`, or a spread's in `FragmentTable`; or none.
  var definition = Int32(SchemaIndex.none)
}

/// An operation or a fragment, and what was met within it.
struct ExecutableDefinition {
  let node: NodeIndex
  /// Its place among the fragments; none for operations.
  let fragment: Int
  var spreads: Range<Int>
  var variables: Range<Int>
  /// Levels of fields in fields, and fields at the root; spreads not counted.
  var depth = 0
  var rootFields = 0

  var isOperation: Bool { fragment < 0 }
}

struct FragmentSpread {
  let node: NodeIndex
  /// The fragment's place in `FragmentTable`, or -1.
  let fragment: Int
  /// The level of fields that it stands on; 1 at the definition's root.
  let depth: Int
}

struct VariableUsage {
  let node: NodeIndex
  /// What is expected where it stands; nil where nobody knows.
  let type: TypeReference?
  let locationHasDefault: Bool
  /// The `@oneOf` input object that it is a field of, or none.
  let oneOf: Int
}

// MARK: Names, text and errors

extension Validation {
  func isSameName(_ one: NodeIndex, _ other: NodeIndex) -> Bool {
    let (a, b) = (nodes[one], nodes[other])
    guard a.nameHash == b.nameHash, a.nameLength == b.nameLength else { return false }
    for offset in 0..<Int(a.nameLength) where bytes[Int(a.nameStart) + offset] != bytes[Int(b.nameStart) + offset] {
      return false
    }
    return true
  }

  /// The node that bears a field's response key: its alias, or itself.
  @inline(__always)
  func responseKey(of field: NodeIndex) -> NodeIndex {
    let first = field &+ 1
    return first < Int(nodes[field].subtreeEnd) && nodes[first].kind == .alias ? first : field
  }

  /// A name as messages show it: cut where they would grow with what was sent.
  func name(_ node: NodeIndex) -> String {
    let limit = 200
    let named = nodes[node]
    guard named.nameLength > limit else { return document.name(node) }
    return String(decoding: bytes[Int(named.nameStart)..<(Int(named.nameStart) + limit)], as: UTF8.self) + "…"
  }

  func typeName(_ type: Int) -> String { schema.types[type].name }

  func printed(_ value: NodeIndex) -> String { Printer.print(value, of: document) }

  /// ` Did you mean …?`, or nothing where nothing is near or the caller may not know.
  func didYouMean(
    _ input: String,
    among options: @autoclosure () -> [String],
    purpose: String = ""
  ) -> String {
    self.options.allowsIntrospection
      ? Suggestions.didYouMean(purpose, Suggestions.list(for: input, among: options())) : ""
  }

  /// Reports a fault met when entering `node`, at its start.
  mutating func report(_ rule: ValidationRule, _ node: NodeIndex, _ message: () -> String) {
    violations.append(rule, .entering(node), at: [nodes[node].start], message)
  }
}
