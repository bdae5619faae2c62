/// A directive applied to a definition.
struct DirectiveUse {
  let node: NodeIndex
  /// The definition, field, argument or enum value that the directive is applied to.
  let parent: NodeIndex
  let location: DirectiveLocation

  /// All uses within these definitions, in document order.
  static func all(in document: Document, _ definitions: [NodeIndex]) -> [DirectiveUse] {
    var uses: [DirectiveUse] = []
    for definition in definitions {
      collect(definition, grandparent: nil, in: document, uses: &uses)
    }
    return uses
  }

  /// Recurses to the depth of nested definitions: the fields of a type and the arguments of a field.
  private static func collect(
    _ parent: NodeIndex,
    grandparent: NodeKind?,
    in document: Document,
    uses: inout [DirectiveUse]
  ) {
    let kind = document[parent].kind
    for child in document.children(of: parent) {
      switch document[child].kind {
      case .directive:
        guard let location = DirectiveLocation(of: kind, in: grandparent) else { continue }
        uses.append(DirectiveUse(node: child, parent: parent, location: location))
      case .fieldDefinition, .inputValueDefinition, .enumValueDefinition:
        collect(child, grandparent: kind, in: document, uses: &uses)
      default: continue
      }
    }
  }
}

extension DirectiveLocation {
  /// The location of directives applied to a node of a type system document. `outer` is the kind of the parent node.
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
