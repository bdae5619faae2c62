/// A directive that is written on a definition.
struct DirectiveUse {
  let node: NodeIndex
  /// The definition, field, argument or value that it stands on.
  let parent: NodeIndex
  let location: DirectiveLocation

  /// All uses within these definitions, in their order.
  static func all(in document: Document, _ definitions: [NodeIndex]) -> [DirectiveUse] {
    var uses: [DirectiveUse] = []
    for definition in definitions {
      collect(definition, nil, in: document, &uses)
    }
    return uses
  }

  /// Recurses as deep as definitions nest: into their fields, and the fields' arguments.
  private static func collect(
    _ parent: NodeIndex,
    _ grandparent: NodeKind?,
    in document: Document,
    _ uses: inout [DirectiveUse]
  ) {
    let kind = document[parent].kind
    for child in document.children(of: parent) {
      switch document[child].kind {
      case .directive:
        guard let location = DirectiveLocation(of: kind, in: grandparent) else { continue }
        uses.append(DirectiveUse(node: child, parent: parent, location: location))
      case .fieldDefinition, .inputValueDefinition, .enumValueDefinition: collect(child, kind, in: document, &uses)
      default: continue
      }
    }
  }
}

extension DirectiveLocation {
  /// The location of directives on a node of the type system, in a node of kind `outer`.
  fileprivate init?(of kind: NodeKind, in outer: NodeKind?) {
    switch kind {
    case .schemaDefinition, .schemaExtension: self = .schema
    case .scalarTypeDefinition, .scalarTypeExtension: self = .scalar
    case .objectTypeDefinition, .objectTypeExtension: self = .object
    case .fieldDefinition: self = .fieldDefinition
    case .inputValueDefinition:
      let isInputField = outer == .inputObjectTypeDefinition || outer == .inputObjectTypeExtension
      self = isInputField ? .inputFieldDefinition : .argumentDefinition
    case .interfaceTypeDefinition, .interfaceTypeExtension: self = .interface
    case .unionTypeDefinition, .unionTypeExtension: self = .union
    case .enumTypeDefinition, .enumTypeExtension: self = .enum
    case .enumValueDefinition: self = .enumValue
    case .inputObjectTypeDefinition, .inputObjectTypeExtension: self = .inputObject
    default: return nil
    }
  }
}
