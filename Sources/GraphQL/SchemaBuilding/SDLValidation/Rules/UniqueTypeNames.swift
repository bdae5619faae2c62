/// No two types bear the same name (specification, section 3.3). The built-in scalars may be written down again, as
/// some tools do when they print a schema, but nothing else may take their names.
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
