/// Field collection: collects the fields of selection sets for an object type (specification, section 6.3.2,
/// `CollectFields`).
struct FieldCollection {
  let schema: Schema
  let document: Document
  let fragments: Fragments
  /// The values of the Boolean variables in `@skip` and `@include`, by name, without those that are null.
  let conditions: [String: Bool]

  /// The fields in the order in which their response keys first occur, each with all of its nodes.
  private(set) var groups: [(responseKey: String, nodes: [NodeIndex])] = []
  /// The number of selections visited, fragments included.
  private(set) var visits = 0
  private var groupIndices: [String: Int] = [:]
  private var visited: Set<NodeIndex> = []

  init(schema: Schema, document: Document, fragments: Fragments, conditions: [String: Bool]) {
    self.schema = schema
    self.document = document
    self.fragments = fragments
    self.conditions = conditions
  }

  /// Stops when `visits` exceeds `limit`.
  mutating func collect(_ selectionSets: [NodeIndex], for object: TypeID, limit: Int) throws(GraphQLError) {
    // Chains of fragments can be as long as the document, so the path is kept here instead of on the call stack.
    var pending: [ChildSequence] = []
    for set in selectionSets {
      pending.append(document.children(of: set))
      while let index = pending.indices.last {
        guard let selection = pending[index].next() else {
          pending.removeLast()
          continue
        }
        visits += 1
        if visits > limit { return }
        guard try isIncluded(selection), let inner = visit(selection, for: object) else { continue }
        pending.append(document.children(of: inner))
      }
    }
  }

  /// Collects a field, or returns the selection set of a fragment that applies.
  private mutating func visit(_ selection: NodeIndex, for object: TypeID) -> NodeIndex? {
    switch document[selection].kind {
    case .field:
      let key = document.responseKey(of: selection)
      if let index = groupIndices[key] {
        groups[index].nodes.append(selection)
      } else {
        groupIndices[key] = groups.count
        groups.append((key, [selection]))
      }
      return nil
    case .fragmentSpread:
      // Each fragment is collected once per selection set, which also keeps this loop linear.
      guard let fragment = fragments.definition(spreadBy: selection, in: document),
        visited.insert(fragment).inserted
      else { return nil }
      return applies(fragment, to: object) ? document.firstChild(of: fragment, .selectionSet) : nil
    case .inlineFragment:
      return applies(selection, to: object) ? document.firstChild(of: selection, .selectionSet) : nil
    default: return nil
    }
  }

  /// Specification, section 6.3.2, `DoesFragmentTypeApply`.
  private func applies(_ fragment: NodeIndex, to object: TypeID) -> Bool {
    guard let condition = document.firstChild(of: fragment, .namedType) else { return true }
    guard let index = schema.typeNames.index(of: condition, in: document) else { return false }
    return schema.isPossible(object, for: TypeID(index))
  }

  /// Specification, sections 3.13.1 and 3.13.2.
  private func isIncluded(_ selection: NodeIndex) throws(GraphQLError) -> Bool {
    for directive in document.children(of: selection, .directive) {
      let name = document.name(directive)
      guard name == "skip" || name == "include",
        let argument = document.firstChild(of: directive, .argument), let value = document.value(of: argument)
      else { continue }
      if try isTrue(value) == (name == "skip") { return false }
    }
    return true
  }

  /// A nullable variable with a default value is allowed here, and null can still be provided for it (specification,
  /// section 5.8.5). The condition is then neither true nor false.
  private func isTrue(_ condition: NodeIndex) throws(GraphQLError) -> Bool {
    guard document[condition].kind == .variable else { return document[condition].flags.contains(.isTrue) }
    guard let truth = conditions[document.name(condition)] else {
      throw GraphQLError(
        "Argument \"if\" of non-null type \"Boolean!\" must not be null.",
        at: [document.location(condition)],
        code: .badUserInput
      )
    }
    return truth
  }
}
