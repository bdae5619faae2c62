/// No fragment spreads itself, be it by way of others (specification, section 5.5.2.2).
enum NoFragmentCycles {
  static func check(_ graph: FragmentGraph, in validation: inout Validation) {
    guard graph.hasCycle || validation.fragments.hasRepeatedNames else { return }
    var isVisited = Array(repeating: false, count: validation.fragments.count)
    for fragment in 0..<validation.fragments.count {
      let node = validation.fragments[fragment].node
      // Of fragments of one name the first is followed here, whichever of them their name stands for.
      let named = validation.fragment(named: node)
      if !isVisited[named] { explain(from: named, at: node, &isVisited, in: &validation) }
    }
  }

  private struct Step {
    let fragment: Int
    let spreads: [NodeIndex]
    var next = 0
  }

  /// Follows the spreads depth first and reports each that leads back to a fragment on the way to it. The way is a
  /// stack of its own, not the thread's.
  private static func explain(
    from first: Int,
    at node: NodeIndex,
    _ isVisited: inout [Bool],
    in validation: inout Validation
  ) {
    let order = VisitOrder.entering(node)
    var path: [Step] = []
    // Where a fragment is on the way, by fragment.
    var positions: [Int: Int] = [:]

    func enter(_ fragment: Int, at node: NodeIndex) {
      isVisited[fragment] = true
      positions[fragment] = path.count
      path.append(Step(fragment: fragment, spreads: validation.spreadsInVisitingOrder(of: node)))
    }

    enter(first, at: node)
    while let step = path.last {
      guard step.next < step.spreads.count, !validation.violations.isFull else {
        positions[step.fragment] = nil
        path.removeLast()
        continue
      }
      path[path.count - 1].next += 1
      let fragment = Int(validation.selected[step.spreads[step.next]].definition)
      guard fragment >= 0 else { continue }
      if let start = positions[fragment] {
        report(path[start...].map { $0.spreads[$0.next - 1] }, order, in: &validation)
      } else if !isVisited[fragment] {
        enter(fragment, at: validation.fragments[fragment].node)
      }
    }
  }

  /// - Parameter spreads: The spreads from the fragment back to itself.
  private static func report(_ spreads: [NodeIndex], _ order: VisitOrder, in validation: inout Validation) {
    // A ring of thousands would make a message of the document's size.
    let maximum = 20
    let name = validation.name(spreads[spreads.count - 1])
    let via = spreads.dropLast().prefix(maximum).map { "\"\(validation.name($0))\"" }.joined(separator: ", ")
    let more = spreads.count - 1 > maximum ? ", …" : ""
    validation.violations.append(.noFragmentCycles, order, at: spreads.map { validation.nodes[$0].start }) {
      "Cannot spread fragment \"\(name)\" within itself" + (via.isEmpty ? "." : " via \(via)\(more).")
    }
  }
}
