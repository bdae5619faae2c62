/// A directive applied to a definition has only arguments that its definition declares (specification, section 5.4.1).
enum KnownArgumentNamesOnDirectives {
  static func check(_ validation: inout SDLValidation) {
    let document = validation.document
    for use in validation.directiveUses {
      let directive = document.name(use.node)
      guard let definition = validation.directives[directive] else { continue }
      let known = definition.document.children(of: definition.node, .inputValueDefinition)
        .map { definition.document.name($0) }
      for argument in document.children(of: use.node, .argument) {
        let name = document.name(argument)
        guard !known.contains(name) else { continue }
        let suggestion = validation.didYouMean(name, among: known)
        validation.report(
          at: validation.start(of: argument),
          message: "Unknown argument \"\(name)\" on directive \"@\(directive)\".\(suggestion)"
        )
      }
    }
  }
}
