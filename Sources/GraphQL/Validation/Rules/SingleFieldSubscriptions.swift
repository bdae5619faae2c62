/// A subscription has one root field, which is not an introspection field and cannot be excluded by a variable
/// (specification, section 5.2.4.1).
enum SingleFieldSubscriptions {
  static func check(_ operation: NodeIndex, in validation: inout Validation) {
    guard let root = validation.schema.subscriptionType?.index,
      let set = validation.document.firstChild(of: operation, .selectionSet)
    else { return }
    let isNamed = validation.nodes[operation].nameLength > 0
    let subscription =
      isNamed ? "Subscription \"\(validation.name(operation))\"" : "Anonymous Subscription"
    let order = VisitOrder.entering(operation)
    var collection = SubscriptionFields(root: root)
    collection.collect(set, in: &validation)

    if !collection.conditions.isEmpty {
      let offsets = collection.conditions.map { validation.nodes[$0].start }
      validation.violations.append(.singleFieldSubscriptions, order: order, at: offsets) {
        "\(subscription) must not use `@skip` or `@include` directives in the top level selection."
      }
    }
    if collection.groups.count > 1 {
      let offsets = collection.groups.dropFirst().joined().map { validation.nodes[$0].start }
      validation.violations.append(.singleFieldSubscriptions, order: order, at: offsets) {
        "\(subscription) must select only one top level field."
      }
    }
    for group in collection.groups where validation.document.name(group[0]).hasPrefix("__") {
      let offsets = group.map { validation.nodes[$0].start }
      validation.violations.append(.singleFieldSubscriptions, order: order, at: offsets) {
        "\(subscription) must not select an introspection top level field."
      }
    }
  }
}

/// `CollectSubscriptionFields(objectType, selectionSet, visitedFragments)`
private struct SubscriptionFields {
  let root: Int
  /// The fields grouped by response key, in the order in which the keys first occur.
  private(set) var groups: [[NodeIndex]] = []
  /// The directives `@skip` and `@include` that were found.
  private(set) var conditions: [NodeIndex] = []
  private var groupIndices: [String: Int] = [:]
  private var visited: Set<Int> = []

  init(root: Int) { self.root = root }

  /// Uses an explicit stack, because chains of fragments can have any length.
  mutating func collect(_ set: NodeIndex, in validation: inout Validation) {
    var pending = [(next: set + 1, end: Int(validation.nodes[set].subtreeEnd))]
    while let (selection, end) = pending.last {
      guard selection < end else {
        pending.removeLast()
        continue
      }
      pending[pending.count - 1].next = Int(validation.nodes[selection].subtreeEnd)
      guard validation.spend() else { return }
      if let set = selectionSet(spreadBy: selection, in: validation) {
        pending.append((set + 1, Int(validation.nodes[set].subtreeEnd)))
      }
    }
  }

  /// Collects a field, or returns the selection set of a fragment that applies.
  private mutating func selectionSet(spreadBy selection: NodeIndex, in validation: borrowing Validation) -> NodeIndex? {
    conditions += validation.document.children(of: selection, .directive)
      .filter { validation.isNamed($0, name: "skip") || validation.isNamed($0, name: "include") }
    switch validation.nodes[selection].kind {
    case .field:
      let key = validation.document.responseKey(of: selection)
      if let index = groupIndices[key] {
        groups[index].append(selection)
      } else {
        groupIndices[key] = groups.count
        groups.append([selection])
      }
      return nil
    case .inlineFragment:
      if let condition = validation.document.firstChild(of: selection, .namedType) {
        let type = validation.index.type(validation.nodes[condition], bytes: validation.bytes)
        guard type >= 0, applies(type, in: validation) else { return nil }
      }
      return validation.document.firstChild(of: selection, .selectionSet)
    default:
      let fragment = validation.fragment(named: selection)
      guard fragment >= 0, visited.insert(fragment).inserted else { return nil }
      let type = validation.fragments[fragment].type
      return type >= 0 && applies(type, in: validation) ? validation.fragments[fragment].selectionSet : nil
    }
  }

  private func applies(_ type: Int, in validation: borrowing Validation) -> Bool {
    type == root || validation.index.types[type].isComposite && validation.index.overlap(type, root)
  }
}
