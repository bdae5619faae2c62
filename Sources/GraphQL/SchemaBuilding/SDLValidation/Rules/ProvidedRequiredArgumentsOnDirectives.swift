/// A directive applied to a definition provides every required argument (specification, section 5.4.3).
enum ProvidedRequiredArgumentsOnDirectives {
  static func check(_ validation: inout SDLValidation) {
    let document = validation.document
    for use in validation.directiveUses {
      let directive = document.name(use.node)
      guard let definition = validation.directives[directive] else { continue }
      let source = definition.document
      let given = Set(document.children(of: use.node, .argument).map { document.name($0) })
      for argument in source.children(of: definition.node, .inputValueDefinition) {
        guard let type = source.type(of: argument), source[type].kind == .nonNullType,
          source.value(of: argument) == nil, !given.contains(source.name(argument))
        else { continue }
        validation.report(
          at: validation.start(of: use.node),
          message: "Directive \"@\(directive)\" argument \"\(source.name(argument))\" of type "
            + "\"\(Printer.print(type, of: source))\" is required, but it was not provided."
        )
      }
    }
  }
}
