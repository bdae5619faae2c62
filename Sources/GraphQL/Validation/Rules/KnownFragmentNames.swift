/// The fragment of a spread is defined (specification, section 5.5.2.1).
enum KnownFragmentNames {
  @inline(never)
  static func report(_ spread: NodeIndex, in validation: inout Validation) {
    let name = validation.name(spread)
    validation.violations.append(
      .knownFragmentNames,
      order: .entering(spread),
      at: [validation.nodes[spread].nameStart]
    ) { "Unknown fragment \"\(name)\"." }
  }
}
