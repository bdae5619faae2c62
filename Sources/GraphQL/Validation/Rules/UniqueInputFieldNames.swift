/// Each field of an input object is provided at most once (specification, section 5.6.3).
enum UniqueInputFieldNames {
  @inline(never)
  static func check(from first: NodeIndex, to end: NodeIndex, in validation: inout Validation) {
    for (first, repeated) in validation.repeatedNames(.objectField, from: first, to: end) {
      let name = validation.name(repeated)
      validation.violations.append(
        .uniqueInputFieldNames,
        order: .entering(repeated),
        at: [validation.nodes[first].nameStart, validation.nodes[repeated].nameStart]
      ) { "There can be only one input field named \"\(name)\"." }
    }
  }
}
