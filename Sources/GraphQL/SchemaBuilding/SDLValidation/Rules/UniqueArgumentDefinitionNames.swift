/// The arguments of a field or directive have unique names (specification, sections 3.6.1 and 3.13).
enum UniqueArgumentDefinitionNames {
  static func check(_ validation: inout SDLValidation) {
    let document = validation.document
    for node in validation.definitions {
      let owner = document.name(node)
      if document[node].kind == .directiveDefinition {
        check(node, in: &validation) { .directiveArgument(directive: owner, name: $0) }
      }
      for field in document.children(of: node, .fieldDefinition) {
        let name = document.name(field)
        check(field, in: &validation) { .argument(type: owner, field: name, name: $0) }
      }
    }
  }

  private static func check(
    _ node: NodeIndex,
    in validation: inout SDLValidation,
    _ coordinate: (String) -> SchemaCoordinate
  ) {
    let arguments = validation.document.children(of: node, .inputValueDefinition)
    for group in validation.grouped(arguments) where group.count > 1 {
      let argument = coordinate(validation.document.name(group[0]))
      validation.report(
        at: group.map { validation.name(at: $0) },
        message: "Argument \"\(argument)\" can only be defined once."
      )
    }
  }
}
