/// No two fragments of a document bear the same name (specification, section 5.5.1.1).
enum UniqueFragmentNames {
  static func check(in validation: inout Validation) {
    guard validation.fragments.count > 1 else { return }
    for (first, repeated) in validation.repeatedNames(validation.fragments.list.map(\.node)) {
      let name = validation.name(repeated)
      validation.violations.append(
        .uniqueFragmentNames, .entering(repeated),
        at: [validation.nodes[first].nameStart, validation.nodes[repeated].nameStart]
      ) { "There can be only one fragment named \"\(name)\"." }
    }
  }
}
