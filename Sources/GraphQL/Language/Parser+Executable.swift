/// Operations, selections and fragments (specification, sections 2.3 to 2.8).
extension Parser {
  // OperationDefinition :
  //   - Description? OperationType Name? VariablesDefinition? Directives? SelectionSet
  //   - SelectionSet
  // OperationType : one of query mutation subscription
  mutating func operationDefinition(_ operation: NodeIndex, type: NodeFlags) throws(SyntaxError) {
    nodes[operation].flags = type
    try advance()
    if token.kind == .name { setName(operation, name: try expectName()) }
    if try skip(.leftParenthesis) {
      // VariablesDefinition : ( VariableDefinition+ )
      repeat { try variableDefinition() } while try !skip(.rightParenthesis)
    }
    try directives(constant: false)
    try selectionSet()
    close(operation)
  }

  mutating func shorthandOperation() throws(SyntaxError) {
    let operation = open(.operationDefinition)
    try selectionSet()
    close(operation)
  }

  // VariableDefinition : Description? Variable : Type DefaultValue? Directives[Const]?
  private mutating func variableDefinition() throws(SyntaxError) {
    let definition = open(.variableDefinition)
    try description()
    try expect(.dollar)
    setName(definition, name: try expectName())
    try expect(.colon)
    try type()
    try defaultValue()
    try directives(constant: true)
    close(definition)
  }

  // SelectionSet : { Selection+ }
  private mutating func selectionSet() throws(SyntaxError) {
    let set = open(.selectionSet)
    try descend()
    try expect(.leftBrace)
    repeat {
      // Selection : Field | FragmentSpread | InlineFragment
      if token.kind == .spread { try fragment() } else { try field() }
    } while try !skip(.rightBrace)
    ascend()
    close(set)
  }

  // Field : Alias? Name Arguments? Directives? SelectionSet?
  // Alias : Name :
  private mutating func field() throws(SyntaxError) {
    let field = open(.field)
    var name = try expectName()
    if try skip(.colon) {
      appendLeaf(.alias, token: name, named: true)
      name = try expectName()
    }
    setName(field, name: name)
    if token.kind == .leftParenthesis { try arguments(constant: false) }
    if token.kind == .at { try directives(constant: false) }
    if token.kind == .leftBrace { try selectionSet() }
    close(field)
  }

  // Arguments[Const] : ( Argument[?Const]+ )
  private mutating func arguments(constant: Bool) throws(SyntaxError) {
    try expect(.leftParenthesis)
    repeat {
      // Argument[Const] : Name : Value[?Const]
      let argument = open(.argument)
      setName(argument, name: try expectName())
      try expect(.colon)
      try value(constant: constant)
      close(argument)
    } while try !skip(.rightParenthesis)
  }

  // FragmentSpread : ... FragmentName Directives?
  // InlineFragment : ... TypeCondition? Directives? SelectionSet
  private mutating func fragment() throws(SyntaxError) {
    let fragment = open(.inlineFragment)
    try expect(.spread)
    let hasTypeCondition = try skipKeyword("on")
    if !hasTypeCondition && token.kind == .name {
      nodes[fragment].kind = .fragmentSpread
      setName(fragment, name: try expectName())
      try directives(constant: false)
    } else {
      if hasTypeCondition { try namedType() }
      try directives(constant: false)
      try selectionSet()
    }
    close(fragment)
  }

  // FragmentDefinition : Description? fragment FragmentName TypeCondition Directives? SelectionSet
  mutating func fragmentDefinition(_ fragment: NodeIndex) throws(SyntaxError) {
    try advance()
    // FragmentName : Name but not on
    if isKeyword("on", token: token) { throw unexpected(token) }
    setName(fragment, name: try expectName())
    // TypeCondition : on NamedType
    try expectKeyword("on")
    try namedType()
    try directives(constant: false)
    try selectionSet()
    close(fragment)
  }

  // Directives[Const] : Directive[?Const]+
  mutating func directives(constant: Bool) throws(SyntaxError) {
    while token.kind == .at {
      // Directive[Const] : @ Name Arguments[?Const]?
      let directive = open(.directive)
      try advance()
      setName(directive, name: try expectName())
      if token.kind == .leftParenthesis { try arguments(constant: constant) }
      close(directive)
    }
  }
}
