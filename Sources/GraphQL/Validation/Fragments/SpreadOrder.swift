/// The order in which graphql-js visits spreads, which determines the order of its errors: the spreads of a selection
/// set first, then those of its nested sets, the last set first. Needed only for invalid documents.
extension Validation {
  func spreadsInVisitingOrder(of definition: NodeIndex) -> [NodeIndex] {
    guard let root = document.firstChild(of: definition, .selectionSet) else { return [] }
    var spreads: [NodeIndex] = []
    var sets = [root]
    while let set = sets.popLast() {
      for selection in document.children(of: set) {
        if nodes[selection].kind == .fragmentSpread {
          spreads.append(selection)
        } else if let inner = document.firstChild(of: selection, .selectionSet) {
          sets.append(inner)
        }
      }
    }
    return spreads
  }

  /// The fragments reachable from an operation, in the order in which graphql-js collects them.
  func fragmentsInVisitingOrder(of operation: NodeIndex) -> [Int] {
    var collected: [Int] = []
    var isCollected = Array(repeating: false, count: fragments.count)
    var pending = [operation]
    while let definition = pending.popLast() {
      for spread in spreadsInVisitingOrder(of: definition) {
        let fragment = Int(selected[spread].definition)
        guard fragment >= 0, !isCollected[fragment] else { continue }
        isCollected[fragment] = true
        collected.append(fragment)
        pending.append(fragments[fragment].node)
      }
    }
    return collected
  }
}
