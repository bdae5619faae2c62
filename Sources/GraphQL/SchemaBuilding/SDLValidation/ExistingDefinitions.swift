/// The definitions of a schema that a document extends, including the built-in types and directives.
struct ExistingDefinitions {
  private(set) var types: [String: NodeKind] = [:]
  /// Fields, input fields and enum values, by coordinate.
  private(set) var members: Set<SchemaCoordinate> = []
  private(set) var directives: Set<String> = []
  private(set) var rootOperations: Set<OperationType> = []
  let hasSchemaDefinition: Bool

  init(_ document: Document, builtIn: Document) {
    hasSchemaDefinition = document.firstChild(of: 0, .schemaDefinition) != nil
    for source in [document, builtIn] { collect(source) }
    // Without a schema definition, the root operation types are the types with the default names (section 3.3.1).
    guard !hasSchemaDefinition else { return }
    for operation in OperationType.allCases where types[operation.defaultTypeName] != nil {
      rootOperations.insert(operation)
    }
  }

  private mutating func collect(_ source: Document) {
    for node in source.children(of: 0) {
      let kind = source[node].kind
      let name = source.name(node)
      if kind.isTypeDefinition { types[name] = kind }
      if kind == .directiveDefinition { directives.insert(name) }
      for child in source.children(of: node) {
        switch source[child].kind {
        case .rootOperationTypeDefinition: rootOperations.insert(OperationType(source[child].flags))
        case .fieldDefinition, .enumValueDefinition: members.insert(.member(type: name, name: source.name(child)))
        case .inputValueDefinition where kind != .directiveDefinition:
          members.insert(.member(type: name, name: source.name(child)))
        default: continue
        }
      }
    }
  }
}
