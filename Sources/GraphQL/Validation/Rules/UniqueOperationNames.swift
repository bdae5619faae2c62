/// The operations of a document have unique names (specification, section 5.2.2.1).
enum UniqueOperationNames {
  static func check(in validation: inout Validation) {
    let operations = validation.document.children(of: 0, .operationDefinition)
      .filter { validation.nodes[$0].nameLength > 0 }
    for (first, repeated) in validation.repeatedNames(operations) {
      let name = validation.name(repeated)
      validation.violations.append(
        .uniqueOperationNames,
        order: .entering(repeated),
        at: [validation.nodes[first].nameStart, validation.nodes[repeated].nameStart]
      ) { "There can be only one operation named \"\(name)\"." }
    }
  }
}
