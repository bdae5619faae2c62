/// The fragments of a document have unique names (specification, section 5.5.1.1).
enum UniqueFragmentNames {
  static func check(in validation: inout Validation) {
    var keys = NameMarks()
    for fragment in validation.fragments.list { keys.insert(validation.nodes[fragment.node].nameHash) }
    guard keys.mayRepeat else { return }
    for (first, repeated) in validation.repeatedNames(validation.fragments.list.map(\.node)) {
      validation.fragments.hasRepeatedNames = true
      let name = validation.name(repeated)
      validation.violations.append(
        .uniqueFragmentNames,
        order: .entering(repeated),
        at: [validation.nodes[first].nameStart, validation.nodes[repeated].nameStart]
      ) { "There can be only one fragment named \"\(name)\"." }
    }
  }
}
