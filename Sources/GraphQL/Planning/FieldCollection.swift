/// Collects the fields of selection sets for an object type (specification, section 6.3.2, `CollectFields`).
struct FieldCollection {
  let schema: Schema
  let document: Document
  let fragments: Fragments
  /// The Boolean variables on which `@skip` and `@include` hang, by name.
  let conditions: [String: Bool]

  /// The fields in the order of their response keys' first appearance, each with every node that asks for it.
  private(set) var groups: [(responseKey: String, nodes: [NodeIndex])] = []
  private var places: [String: Int] = [:]
  private var visited: Set<NodeIndex> = []

  init(schema: Schema, document: Document, fragments: Fragments, conditions: [String: Bool]) {
    self.schema = schema
    self.document = document
    self.fragments = fragments
    self.conditions = conditions
  }

  mutating func collect(_ selectionSets: [NodeIndex], for object: TypeID) {
    for set in selectionSets { collect(set, for: object) }
  }

  private mutating func collect(_ selectionSet: NodeIndex, for object: TypeID) {
    for selection in document.children(of: selectionSet) where isIncluded(selection) {
      switch document[selection].kind {
      case .field:
        let key = document.responseKey(of: selection)
        if let place = places[key] {
          groups[place].nodes.append(selection)
        } else {
          places[key] = groups.count
          groups.append((key, [selection]))
        }
      case .fragmentSpread:
        // Each fragment counts once in a selection set, which also keeps this walk linear.
        guard let fragment = fragments.definition(spreadBy: selection, in: document),
          visited.insert(fragment).inserted
        else { continue }
        collect(fragment: fragment, for: object)
      case .inlineFragment: collect(fragment: selection, for: object)
      default: continue
      }
    }
  }

  private mutating func collect(fragment: NodeIndex, for object: TypeID) {
    if let condition = document.firstChild(of: fragment, .namedType) {
      guard let place = schema.typeNames.place(of: condition, in: document),
        schema.isPossible(object, for: TypeID(place))
      else { return }
    }
    if let set = document.firstChild(of: fragment, .selectionSet) { collect(set, for: object) }
  }

  /// Specification, sections 3.13.1 and 3.13.2.
  private func isIncluded(_ selection: NodeIndex) -> Bool {
    for directive in document.children(of: selection, .directive) {
      let name = document.name(directive)
      guard name == "skip" || name == "include",
        let argument = document.firstChild(of: directive, .argument), let value = document.value(of: argument)
      else { continue }
      let truth =
        document[value].kind == .variable
        ? conditions[document.name(value)] ?? false : document[value].flags.contains(.isTrue)
      if truth == (name == "skip") { return false }
    }
    return true
  }
}

/// The fragment definitions of a document by name.
struct Fragments: Sendable {
  private let names: NameTable
  private let nodes: [NodeIndex]

  init(_ document: Document) {
    nodes = Array(document.children(of: 0, .fragmentDefinition))
    names = NameTable(nodes.map { document.name($0) })
  }

  func definition(spreadBy node: NodeIndex, in document: Document) -> NodeIndex? {
    names.place(of: node, in: document).map { nodes[$0] }
  }
}
