/// A directive that is not repeatable is applied at most once to a definition, including its extensions (specification,
/// section 3.13).
enum UniqueDirectivesPerLocationInSDL {
  /// The element on which the uses of a directive are counted.
  private enum Owner: Hashable {
    case schema
    case type(String)
    case node(NodeIndex)
  }

  static func check(_ validation: inout SDLValidation) {
    let document = validation.document
    var used: [Owner: [String: NodeIndex]] = [:]
    for use in validation.directiveUses {
      let name = document.name(use.node)
      guard let definition = validation.directives[name],
        !definition.document[definition.node].flags.contains(.repeatable)
      else { continue }
      let owner = owner(of: use.parent, in: document)
      if let first = used[owner]?[name] {
        validation.report(
          at: validation.start(of: first),
          validation.start(of: use.node),
          message: "The directive \"@\(name)\" can only be used once at this location."
        )
      } else {
        used[owner, default: [:]][name] = use.node
      }
    }
  }

  private static func owner(of node: NodeIndex, in document: Document) -> Owner {
    switch document[node].kind {
    case .schemaDefinition, .schemaExtension: .schema
    case let kind where kind.isTypeDefinition || kind.isTypeExtension: .type(document.name(node))
    default: .node(node)
    }
  }
}
