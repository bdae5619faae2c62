/// Builds the tables of `SchemaIndex`.
struct SchemaIndexBuilder {
  private(set) var types: [TypeEntry] = []
  private(set) var fields: [FieldEntry] = []
  private(set) var fieldDefinitions: [FieldDefinition] = []
  private(set) var inputs: [InputEntry] = []
  private(set) var inputDefinitions: [InputValueDefinition] = []
  private(set) var directives: [DirectiveEntry] = []
  private(set) var members: MemberTable

  init(
    types definitions: [TypeDefinition],
    typeNames: NameTable,
    directives directiveDefinitions: [DirectiveDefinition],
    queryType: TypeID
  ) {
    members = MemberTable(capacity: Self.memberCount(of: definitions, directiveDefinitions))
    for (index, type) in definitions.enumerated() {
      members.insert(type.name, at: index, of: .types)
      types.append(TypeEntry(type))
    }
    for (index, type) in definitions.enumerated() {
      let owner = MemberTable.Owner.type(index)
      let start = fields.count
      for field in type.fields { insert(field, of: owner) }
      types[index].fields = start..<fields.count
      for (index, value) in type.enumValues.enumerated() { members.insert(value.name, at: index, of: owner) }
      types[index].inputs = insert(type.inputFields, of: owner)
      types[index].requiredInputs = type.inputFields.count { $0.isRequired }
      if type.isComposite { insert(.typename(typeNames), of: owner) }
    }
    insert(.schema(typeNames), of: .type(queryType.index))
    insert(.type(typeNames), of: .type(queryType.index))
    for (index, directive) in directiveDefinitions.enumerated() {
      members.insert(directive.name, at: index, of: .directives)
      directives.append(
        DirectiveEntry(
          arguments: insert(directive.arguments, of: .directive(index)),
          requiredArguments: directive.arguments.count { $0.isRequired },
          isRepeatable: directive.isRepeatable,
          locations: directive.locations.reduce(0) { $0 | $1.executableBit }
        )
      )
    }
  }

  private mutating func insert(_ field: FieldDefinition?, of owner: MemberTable.Owner) {
    guard let field else { return }
    let index = fields.count
    members.insert(field.name, at: index, of: owner)
    fieldDefinitions.append(field)
    fields.append(
      FieldEntry(
        type: field.type,
        arguments: insert(field.arguments, of: .field(index)),
        requiredArguments: field.arguments.count { $0.isRequired },
        isDeprecated: field.deprecationReason != nil
      )
    )
  }

  private mutating func insert(_ values: [InputValueDefinition], of owner: MemberTable.Owner) -> Range<Int> {
    let start = inputs.count
    for value in values {
      members.insert(value.name, at: inputs.count, of: owner)
      inputDefinitions.append(value)
      inputs.append(
        InputEntry(
          type: value.type,
          hasDefault: value.defaultLiteral != nil,
          isDeprecated: value.deprecationReason != nil,
          nameHash: NameHash.hash(value.name)
        )
      )
    }
    return start..<inputs.count
  }

  private static func memberCount(of types: [TypeDefinition], _ directives: [DirectiveDefinition]) -> Int {
    var count = directives.count + directives.reduce(0) { $0 + $1.arguments.count } + 3
    for type in types {
      count += 2 + type.fields.count + type.enumValues.count + type.inputFields.count
      count += type.fields.reduce(0) { $0 + $1.arguments.count }
    }
    return count
  }
}
