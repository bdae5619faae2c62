/// A directive applied to a definition provides each argument at most once (specification, section 5.4.2).
enum UniqueArgumentNamesInSDL {
  static func check(_ validation: inout SDLValidation) {
    for use in validation.directiveUses {
      for group in validation.grouped(validation.document.children(of: use.node, .argument)) where group.count > 1 {
        let name = validation.document.name(group[0])
        validation.report(
          at: group.map { validation.name(at: $0) },
          message: "There can be only one argument named \"\(name)\"."
        )
      }
    }
  }
}
