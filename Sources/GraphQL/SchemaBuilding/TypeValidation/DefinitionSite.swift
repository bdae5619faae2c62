/// The definition to which an error refers. It is converted to a location in the source only if there is an error.
enum DefinitionSite: Hashable {
  case schema
  case rootOperationType(OperationType)
  case element(SchemaCoordinate)

  /// The offset of each definition in a document.
  static func offsets(in document: Document) -> [DefinitionSite: UInt32] {
    var offsets: [DefinitionSite: UInt32] = [:]
    func note(_ site: DefinitionSite, at node: NodeIndex) {
      if offsets[site] == nil { offsets[site] = document[node].start }
    }
    for node in document.children(of: 0) {
      let kind = document[node].kind
      let owner = document.name(node)
      if kind == .schemaDefinition { note(.schema, at: node) }
      if kind == .directiveDefinition { note(.element(.directive(owner)), at: node) }
      if kind.isTypeDefinition { note(.element(.type(owner)), at: node) }
      for child in document.children(of: node) {
        let name = document.name(child)
        switch document[child].kind {
        case .rootOperationTypeDefinition: note(.rootOperationType(OperationType(document[child].flags)), at: child)
        case .enumValueDefinition: note(.element(.member(type: owner, name: name)), at: child)
        case .inputValueDefinition where kind == .directiveDefinition:
          note(.element(.directiveArgument(directive: owner, name: name)), at: child)
        case .inputValueDefinition: note(.element(.member(type: owner, name: name)), at: child)
        case .fieldDefinition:
          note(.element(.member(type: owner, name: name)), at: child)
          for argument in document.children(of: child, .inputValueDefinition) {
            note(.element(.argument(type: owner, field: name, name: document.name(argument))), at: argument)
          }
        default: continue
        }
      }
    }
    return offsets
  }
}
