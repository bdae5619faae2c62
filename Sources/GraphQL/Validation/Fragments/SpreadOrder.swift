/// The order in which graphql-js comes upon spreads, which is that of its errors: those of a selection set, then those
/// of the sets within it, the last one first. Only faulty documents need it.
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

  /// The fragments that an operation gets to, in the order in which graphql-js collects them.
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
