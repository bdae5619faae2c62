/// Creates definitions from type system documents whose names have been validated.
struct DefinitionReader {
  let typeNames: NameTable
  private(set) var errors: [GraphQLError] = []

  init(typeNames: NameTable) { self.typeNames = typeNames }

  /// Creates a type from its definition and its extensions, the definition first.
  mutating func type(_ parts: [(source: Document, node: NodeIndex)]) -> TypeDefinition {
    guard let first = parts.first else { return TypeDefinition(name: "", kind: .scalar) }
    var type = TypeDefinition(name: first.source.name(first.node), kind: TypeKind(first.source[first.node].kind))
    type.description = description(of: first.node, in: first.source)
    for (source, node) in parts { add(node, of: source, to: &type) }
    type.fieldNames = NameTable(type.fields.map(\.name))
    type.enumValueNames = NameTable(type.enumValues.map(\.name))
    type.inputFieldNames = NameTable(type.inputFields.map(\.name))
    type.isOneOf = type.directives.contains { $0.name == "oneOf" }
    type.specifiedByURL = type.directives.first { $0.name == "specifiedBy" }?.string("url")
    return type
  }

  private mutating func add(_ node: NodeIndex, of source: Document, to type: inout TypeDefinition) {
    for child in source.children(of: node) {
      switch source[child].kind {
      case .namedType:
        guard let index = typeNames.index(of: child, in: source) else { continue }
        if type.kind == .union {
          type.possibleTypes.append(TypeID(index))
        } else {
          type.interfaces.append(TypeID(index))
        }
      case .directive: type.directives.append(AppliedDirective(child, in: source))
      case .fieldDefinition:
        if let field = field(child, in: source) { type.fields.append(field) }
      case .enumValueDefinition: type.enumValues.append(enumValue(child, in: source))
      case .inputValueDefinition:
        if let value = inputValue(child, in: source) { type.inputFields.append(value) }
      default: continue
      }
    }
  }

  mutating func directive(_ node: NodeIndex, in source: Document) -> DirectiveDefinition {
    let arguments = arguments(of: node, in: source)
    return DirectiveDefinition(
      name: source.name(node),
      description: description(of: node, in: source),
      arguments: arguments,
      argumentNames: NameTable(arguments.map(\.name)),
      isRepeatable: source[node].flags.contains(.repeatable),
      locations: source.children(of: node, .directiveLocation).compactMap {
        DirectiveLocation(rawValue: source.name($0))
      }
    )
  }

  private mutating func field(_ node: NodeIndex, in source: Document) -> FieldDefinition? {
    let arguments = arguments(of: node, in: source)
    guard let type = typeReference(node, in: source) else { return nil }
    let directives = [AppliedDirective](on: node, in: source)
    return FieldDefinition(
      name: source.name(node),
      description: description(of: node, in: source),
      arguments: arguments,
      argumentNames: NameTable(arguments.map(\.name)),
      type: type,
      deprecationReason: directives.deprecationReason,
      directives: directives
    )
  }

  private mutating func arguments(of node: NodeIndex, in source: Document) -> [InputValueDefinition] {
    var arguments: [InputValueDefinition] = []
    for child in source.children(of: node, .inputValueDefinition) {
      if let argument = inputValue(child, in: source) { arguments.append(argument) }
    }
    return arguments
  }

  private mutating func inputValue(_ node: NodeIndex, in source: Document) -> InputValueDefinition? {
    guard let type = typeReference(node, in: source) else { return nil }
    let directives = [AppliedDirective](on: node, in: source)
    return InputValueDefinition(
      name: source.name(node),
      description: description(of: node, in: source),
      type: type,
      defaultLiteral: source.value(of: node).map { Printer.print($0, of: source) },
      deprecationReason: directives.deprecationReason,
      directives: directives
    )
  }

  private func enumValue(_ node: NodeIndex, in source: Document) -> EnumValueDefinition {
    let directives = [AppliedDirective](on: node, in: source)
    return EnumValueDefinition(
      name: source.name(node),
      description: description(of: node, in: source),
      deprecationReason: directives.deprecationReason,
      directives: directives
    )
  }

  private mutating func typeReference(_ node: NodeIndex, in source: Document) -> TypeReference? {
    guard let type = source.type(of: node) else { return nil }
    let (wrappers, named) = source.unwrapped(type)
    guard wrappers.count <= TypeReference.maximumWrappers else {
      errors.append(
        GraphQLError(
          "The type of \"\(source.name(node))\" has more than \(TypeReference.maximumWrappers) wrappers.",
          at: [source.location(node)],
          code: .schemaInvalid
        )
      )
      return nil
    }
    return typeNames.index(of: named, in: source).map { TypeReference(TypeID($0), in: wrappers) }
  }

  private func description(of node: NodeIndex, in source: Document) -> String? {
    source.description(of: node).map { source.stringValue(of: $0) }
  }
}

extension TypeKind {
  fileprivate init(_ kind: NodeKind) {
    switch kind {
    case .objectTypeDefinition: self = .object
    case .interfaceTypeDefinition: self = .interface
    case .unionTypeDefinition: self = .union
    case .enumTypeDefinition: self = .enum
    case .inputObjectTypeDefinition: self = .inputObject
    default: self = .scalar
    }
  }
}
