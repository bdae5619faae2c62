/// The variables of an operation have unique names (specification, section 5.8.1).
enum UniqueVariableNames {
  static func check(
    _ operation: NodeIndex,
    from first: NodeIndex,
    to end: NodeIndex,
    in validation: inout Validation
  ) {
    guard validation.mayRepeatNames(.variableDefinition, from: first, to: end) else { return }
    for group in groups(validation.repeatedNames(.variableDefinition, from: first, to: end)) {
      let name = validation.name(group[0])
      validation.violations.append(
        .uniqueVariableNames,
        order: .entering(operation),
        at: group.map { validation.nodes[$0].nameStart }
      ) { "There can be only one variable named \"$\(name)\"." }
    }
  }
}
