/// Every referenced type is defined (specification, section 3.3).
enum KnownTypeNamesInSDL {
  static func check(_ validation: inout SDLValidation) {
    let document = validation.document
    let standard = validation.builtIn.children(of: 0).filter { validation.builtIn[$0].kind.isTypeDefinition }
      .map { validation.builtIn.name($0) }
    let existing = validation.existing.map { Array($0.types.keys) } ?? []
    let known = standard + existing + validation.typeDefinitions.map { document.name($0) }
    let names = Set(known)
    for definition in validation.definitions {
      for node in definition..<Int(document[definition].subtreeEnd) where document[node].kind == .namedType {
        let name = document.name(node)
        guard !names.contains(name) else { continue }
        let suggestion = validation.didYouMean(name, among: Array(names))
        validation.report(at: validation.start(of: node), message: "Unknown type \"\(name)\".\(suggestion)")
      }
    }
  }
}
