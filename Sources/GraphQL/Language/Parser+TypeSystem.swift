/// The parts of type system definitions and extensions (specification, section 3).
extension Parser {
  // SchemaDefinition : Description? schema Directives[Const]? { RootOperationTypeDefinition+ }
  // ScalarTypeDefinition : Description? scalar Name Directives[Const]?
  // ObjectTypeDefinition : Description? type Name ImplementsInterfaces? Directives[Const]? FieldsDefinition?
  // InterfaceTypeDefinition : Description? interface Name ImplementsInterfaces? Directives[Const]? FieldsDefinition?
  // UnionTypeDefinition : Description? union Name Directives[Const]? UnionMemberTypes?
  // EnumTypeDefinition : Description? enum Name Directives[Const]? EnumValuesDefinition?
  // InputObjectTypeDefinition : Description? input Name Directives[Const]? InputFieldsDefinition?
  // Extensions are the same after `extend` and without a description. The braces of a schema extension are optional.
  /// Parses the part after the keyword and the name.
  mutating func typeSystemBody(_ kind: NodeKind, isExtension: Bool) throws(SyntaxError) {
    if kind == .objectTypeDefinition || kind == .interfaceTypeDefinition { try implementsInterfaces() }
    try directives(constant: true)
    switch kind {
    case .schemaDefinition:
      if !isExtension || token.kind == .leftBrace { try rootOperationTypeDefinitions() }
    case .objectTypeDefinition, .interfaceTypeDefinition: try fieldsDefinition()
    case .unionTypeDefinition: try unionMemberTypes()
    case .enumTypeDefinition: try enumValuesDefinition()
    case .inputObjectTypeDefinition: try inputFieldsDefinition()
    default: break
    }
  }

  private mutating func rootOperationTypeDefinitions() throws(SyntaxError) {
    try expect(.leftBrace)
    repeat {
      // RootOperationTypeDefinition : OperationType : NamedType
      let root = open(.rootOperationTypeDefinition)
      let operation = try expectName()
      if isKeyword("mutation", token: operation) {
        nodes[root].flags = .mutation
      } else if isKeyword("subscription", token: operation) {
        nodes[root].flags = .subscription
      } else if !isKeyword("query", token: operation) {
        throw unexpected(operation)
      }
      try expect(.colon)
      try namedType()
      close(root)
    } while try !skip(.rightBrace)
  }

  // ImplementsInterfaces :
  //   - ImplementsInterfaces & NamedType
  //   - implements &? NamedType
  private mutating func implementsInterfaces() throws(SyntaxError) {
    guard try skipKeyword("implements") else { return }
    _ = try skip(.ampersand)
    repeat { try namedType() } while try skip(.ampersand)
  }

  // FieldsDefinition : { FieldDefinition+ }
  private mutating func fieldsDefinition() throws(SyntaxError) {
    guard try skip(.leftBrace) else { return }
    repeat {
      // FieldDefinition : Description? Name ArgumentsDefinition? : Type Directives[Const]?
      let field = open(.fieldDefinition)
      try description()
      setName(field, name: try expectName())
      try argumentsDefinition()
      try expect(.colon)
      try type()
      try directives(constant: true)
      close(field)
    } while try !skip(.rightBrace)
  }

  // ArgumentsDefinition : ( InputValueDefinition+ )
  private mutating func argumentsDefinition() throws(SyntaxError) {
    guard try skip(.leftParenthesis) else { return }
    repeat { try inputValueDefinition() } while try !skip(.rightParenthesis)
  }

  // InputFieldsDefinition : { InputValueDefinition+ }
  private mutating func inputFieldsDefinition() throws(SyntaxError) {
    guard try skip(.leftBrace) else { return }
    repeat { try inputValueDefinition() } while try !skip(.rightBrace)
  }

  // InputValueDefinition : Description? Name : Type DefaultValue? Directives[Const]?
  private mutating func inputValueDefinition() throws(SyntaxError) {
    let value = open(.inputValueDefinition)
    try description()
    setName(value, name: try expectName())
    try expect(.colon)
    try type()
    try defaultValue()
    try directives(constant: true)
    close(value)
  }

  // UnionMemberTypes :
  //   - UnionMemberTypes | NamedType
  //   - = |? NamedType
  private mutating func unionMemberTypes() throws(SyntaxError) {
    guard try skip(.equals) else { return }
    _ = try skip(.pipe)
    repeat { try namedType() } while try skip(.pipe)
  }

  // EnumValuesDefinition : { EnumValueDefinition+ }
  private mutating func enumValuesDefinition() throws(SyntaxError) {
    guard try skip(.leftBrace) else { return }
    repeat {
      // EnumValueDefinition : Description? EnumValue Directives[Const]?
      let value = open(.enumValueDefinition)
      try description()
      if isKeyword("true", token: token) || isKeyword("false", token: token) || isKeyword("null", token: token) {
        throw SyntaxError(
          "\(describe(token)) is reserved and cannot be used for an enum value.",
          at: token.start
        )
      }
      setName(value, name: try expectName())
      try directives(constant: true)
      close(value)
    } while try !skip(.rightBrace)
  }

  // DirectiveDefinition : Description? directive @ Name ArgumentsDefinition? repeatable? on DirectiveLocations
  mutating func directiveDefinition(_ definition: NodeIndex) throws(SyntaxError) {
    nodes[definition].kind = .directiveDefinition
    try advance()
    try expect(.at)
    setName(definition, name: try expectName())
    try argumentsDefinition()
    if try skipKeyword("repeatable") { nodes[definition].flags = .repeatable }
    try expectKeyword("on")
    // DirectiveLocations :
    //   - DirectiveLocations | DirectiveLocation
    //   - |? DirectiveLocation
    _ = try skip(.pipe)
    repeat {
      let location = try expectName()
      guard DirectiveLocation(rawValue: excerpt(location)) != nil else { throw unexpected(location) }
      appendLeaf(.directiveLocation, token: location, named: true)
    } while try skip(.pipe)
    close(definition)
  }
}
