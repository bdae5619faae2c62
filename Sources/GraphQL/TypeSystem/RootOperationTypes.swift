/// The contents of a schema definition, including its extensions (specification, section 3.3).
struct RootOperationTypes {
  var description: String?
  var query: TypeID?
  var mutation: TypeID?
  var subscription: TypeID?
  var directives: [AppliedDirective] = []

  init(_ document: Document, typeNames: NameTable) {
    var isDefined = false
    for node in document.children(of: 0) {
      let kind = document[node].kind
      guard kind == .schemaDefinition || kind == .schemaExtension else { continue }
      if kind == .schemaDefinition {
        isDefined = true
        description = document.description(of: node).map { document.stringValue(of: $0) }
      }
      directives += [AppliedDirective](on: node, in: document)
      for root in document.children(of: node, .rootOperationTypeDefinition) {
        self[OperationType(document[root].flags)] =
          document.type(of: root).flatMap { typeNames.index(of: $0, in: document) }.map(TypeID.init)
      }
    }
    // Without a schema definition, the root operation types are the types with the default names.
    guard !isDefined else { return }
    for operation in OperationType.allCases where self[operation] == nil {
      self[operation] = typeNames.index(of: operation.defaultTypeName).map(TypeID.init)
    }
  }

  subscript(_ operation: OperationType) -> TypeID? {
    get {
      switch operation {
      case .query: query
      case .mutation: mutation
      case .subscription: subscription
      }
    }
    set {
      switch operation {
      case .query: query = newValue
      case .mutation: mutation = newValue
      case .subscription: subscription = newValue
      }
    }
  }
}
