/// No fragment spreads itself, directly or through other fragments (specification, section 5.5.2.2).
enum NoFragmentCycles {
  static func check(_ graph: FragmentGraph, in validation: inout Validation) {
    guard graph.hasCycle || validation.fragments.hasRepeatedNames else { return }
    var isVisited = Array(repeating: false, count: validation.fragments.count)
    for fragment in 0..<validation.fragments.count {
      let node = validation.fragments[fragment].node
      // If several fragments have the same name, the spreads of this one are followed, even if the name refers to
      // another.
      let named = validation.fragment(named: node)
      if !isVisited[named] { explain(from: named, at: node, &isVisited, in: &validation) }
    }
  }

  private struct Step {
    let fragment: Int
    let spreads: [NodeIndex]
    var next = 0
  }

  /// Follows the spreads depth-first, with an explicit stack, and reports each spread of a fragment that is on the
  /// current path.
  private static func explain(
    from first: Int,
    at node: NodeIndex,
    _ isVisited: inout [Bool],
    in validation: inout Validation
  ) {
    let order = VisitOrder.entering(node)
    var path: [Step] = []
    // The index on the path of each fragment.
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
        report(path[start...].map { $0.spreads[$0.next - 1] }, order: order, in: &validation)
      } else if !isVisited[fragment] {
        enter(fragment, at: validation.fragments[fragment].node)
      }
    }
  }

  /// - Parameter spreads: The spreads from a fragment back to itself.
  private static func report(_ spreads: [NodeIndex], order: VisitOrder, in validation: inout Validation) {
    // A cycle of thousands of fragments would make the message as long as the document.
    let maximum = 20
    let name = validation.name(spreads[spreads.count - 1])
    let via = spreads.dropLast().prefix(maximum).map { "\"\(validation.name($0))\"" }.joined(separator: ", ")
    let more = spreads.count - 1 > maximum ? ", …" : ""
    validation.violations.append(.noFragmentCycles, order: order, at: spreads.map { validation.nodes[$0].start }) {
      "Cannot spread fragment \"\(name)\" within itself" + (via.isEmpty ? "." : " via \(via)\(more).")
    }
  }
}
