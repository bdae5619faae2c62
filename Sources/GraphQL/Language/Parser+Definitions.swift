/// Definitions (specification, sections 2.2 and 3.1).
extension Parser {
  // Definition : ExecutableDefinition | TypeSystemDefinitionOrExtension
  mutating func definition() throws(SyntaxError) {
    if token.kind == .leftBrace { return try shorthandOperation() }
    let first = token
    // Most definitions may start with a description. The kind of the definition is known only after it.
    let definition = open(.document)
    try description()
    if token.kind == .name {
      if isKeyword("query", token: token) { return try operation(definition, type: []) }
      if isKeyword("mutation", token: token) { return try operation(definition, type: .mutation) }
      if isKeyword("subscription", token: token) { return try operation(definition, type: .subscription) }
      if isKeyword("fragment", token: token) {
        nodes[definition].kind = .fragmentDefinition
        return try fragmentDefinition(definition)
      }
      if try typeSystemDefinition(definition) { return }
      if first.isString {
        throw SyntaxError("Unexpected description, only GraphQL definitions support descriptions.", at: first.start)
      }
      if isKeyword("extend", token: token) { return try typeSystemExtension(definition) }
    } else if first.isString && token.kind == .leftBrace {
      throw SyntaxError(
        "Unexpected description, descriptions are not supported on shorthand queries.",
        at: first.start
      )
    }
    throw unexpected(token)
  }

  private mutating func operation(_ definition: NodeIndex, type: NodeFlags) throws(SyntaxError) {
    nodes[definition].kind = .operationDefinition
    try operationDefinition(definition, type: type)
  }

  // Description : StringValue
  mutating func description() throws(SyntaxError) {
    guard token.isString else { return }
    appendLeaf(.stringValue, token: token, flags: token.flags)
    try advance()
  }

  // TypeSystemDefinition : SchemaDefinition | TypeDefinition | DirectiveDefinition
  private mutating func typeSystemDefinition(_ definition: NodeIndex) throws(SyntaxError) -> Bool {
    guard let kind = typeSystemKeyword() else {
      guard isKeyword("directive", token: token) else { return false }
      try directiveDefinition(definition)
      return true
    }
    nodes[definition].kind = kind
    try advance()
    if kind != .schemaDefinition { setName(definition, name: try expectName()) }
    try typeSystemBody(kind, isExtension: false)
    close(definition)
    return true
  }

  // TypeSystemExtension : SchemaExtension | TypeExtension
  private mutating func typeSystemExtension(_ definition: NodeIndex) throws(SyntaxError) {
    try advance()
    guard let kind = typeSystemKeyword() else { throw unexpected(token) }
    nodes[definition].kind = kind.extensionKind
    try advance()
    if kind != .schemaDefinition { setName(definition, name: try expectName()) }
    let before = nodes.count
    try typeSystemBody(kind, isExtension: true)
    // An extension must not be empty.
    if nodes.count == before { throw unexpected(token) }
    close(definition)
  }

  private func typeSystemKeyword() -> NodeKind? {
    if isKeyword("type", token: token) { return .objectTypeDefinition }
    if isKeyword("input", token: token) { return .inputObjectTypeDefinition }
    if isKeyword("enum", token: token) { return .enumTypeDefinition }
    if isKeyword("interface", token: token) { return .interfaceTypeDefinition }
    if isKeyword("union", token: token) { return .unionTypeDefinition }
    if isKeyword("scalar", token: token) { return .scalarTypeDefinition }
    if isKeyword("schema", token: token) { return .schemaDefinition }
    return nil
  }
}

extension NodeKind {
  /// The kind of extension of this kind of definition, or the kind itself if it is not a type system definition that
  /// can be extended.
  var extensionKind: NodeKind {
    switch self {
    case .schemaDefinition: .schemaExtension
    case .scalarTypeDefinition: .scalarTypeExtension
    case .objectTypeDefinition: .objectTypeExtension
    case .interfaceTypeDefinition: .interfaceTypeExtension
    case .unionTypeDefinition: .unionTypeExtension
    case .enumTypeDefinition: .enumTypeExtension
    case .inputObjectTypeDefinition: .inputObjectTypeExtension
    default: self
    }
  }
}
