/// Every fragment is spread by an operation, directly or through other fragments (specification, section 5.5.1.4).
enum NoUnusedFragments {
  static func check(_ graph: FragmentGraph, in validation: inout Validation) {
    for fragment in 0..<validation.fragments.count {
      let node = validation.fragments[fragment].node
      // If two fragments have the same name and the name is spread, both count as used.
      let named = validation.fragment(named: node)
      guard !graph.isReachable(named) else { continue }
      let name = validation.name(node)
      validation.violations.append(
        .noUnusedFragments,
        order: .leaving(0, nodes: validation.nodes),
        at: [validation.nodes[node].start]
      ) { "Fragment \"\(name)\" is never used." }
    }
  }
}
