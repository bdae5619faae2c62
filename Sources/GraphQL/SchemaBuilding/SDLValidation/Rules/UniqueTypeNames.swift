/// Types have unique names (specification, section 3.3). A document may define the built-in scalars again, as some
/// tools do when they print a schema, but no other type may have the name of a built-in type.
enum UniqueTypeNames {
  static func check(_ validation: inout SDLValidation) {
    let document = validation.document
    var defined: [String: NodeIndex] = [:]
    for node in validation.typeDefinitions {
      let name = document.name(node)
      if validation.existing?.types[name] != nil {
        validation.report(
          at: validation.name(at: node),
          message: "Type \"\(name)\" already exists in the schema. It cannot also be defined in this type definition."
        )
      } else if let first = defined[name] {
        validation.report(
          at: validation.name(at: first),
          validation.name(at: node),
          message: "There can be only one type named \"\(name)\"."
        )
      } else {
        defined[name] = node
        let isScalar = document[node].kind == .scalarTypeDefinition
        if BuiltInDefinitions.types.contains(name) && !(isScalar && BuiltInDefinitions.scalars.contains(name)) {
          validation.report(
            at: validation.name(at: node),
            message: "Type \"\(name)\" is built in. It cannot be redefined."
          )
        }
      }
    }
  }
}
