/// An argument is defined on its field or directive (specification, section 5.4.1).
enum KnownArgumentNames {
  @inline(never)
  static func report(_ argument: NodeIndex, ofField field: Int, on parent: Int, in validation: inout Validation) {
    let definition = validation.index.fieldDefinitions[field]
    report(
      argument,
      owner: "field \"\(validation.typeName(parent)).\(definition.name)\"",
      known: definition.arguments,
      order: .entering(argument),
      in: &validation
    )
  }

  @inline(never)
  static func report(
    _ argument: NodeIndex,
    ofDirective directive: Int,
    at node: NodeIndex,
    in validation: inout Validation
  ) {
    let definition = validation.schema.directives[directive]
    report(
      argument,
      owner: "directive \"@\(definition.name)\"",
      known: definition.arguments,
      order: .entering(node),
      in: &validation
    )
  }

  private static func report(
    _ argument: NodeIndex,
    owner: String,
    known: [InputValueDefinition],
    order: VisitOrder,
    in validation: inout Validation
  ) {
    let name = validation.name(argument)
    let suggestion = validation.violations.isFull ? "" : validation.didYouMean(name, among: known.map(\.name))
    validation.violations.append(.knownArgumentNames, order: order, at: [validation.nodes[argument].start]) {
      "Unknown argument \"\(name)\" on \(owner).\(suggestion)"
    }
  }
}
