/// Each argument of a field or directive is provided at most once (specification, section 5.4.2).
enum UniqueArgumentNames {
  @inline(never)
  static func check(_ node: NodeIndex, from first: NodeIndex, to end: NodeIndex, in validation: inout Validation) {
    for group in groups(validation.repeatedNames(.argument, from: first, to: end)) {
      let name = validation.name(group[0])
      validation.violations.append(
        .uniqueArgumentNames,
        order: .entering(node),
        at: group.map { validation.nodes[$0].nameStart }
      ) { "There can be only one argument named \"\(name)\"." }
    }
  }
}
