/// Directives have unique names. A schema may redefine a built-in directive (specification, section 3.13).
enum UniqueDirectiveNames {
  static func check(_ validation: inout SDLValidation) {
    let document = validation.document
    var defined: [String: NodeIndex] = [:]
    for node in validation.definitions(.directiveDefinition) {
      let name = document.name(node)
      if validation.existing?.directives.contains(name) == true {
        validation.report(
          at: validation.name(at: node),
          message: "Directive \"@\(name)\" already exists in the schema. It cannot be redefined."
        )
      } else if let first = defined[name] {
        validation.report(
          at: validation.name(at: first),
          validation.name(at: node),
          message: "There can be only one directive named \"@\(name)\"."
        )
      } else {
        defined[name] = node
      }
    }
  }
}
