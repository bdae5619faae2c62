/// Values and type references (specification, sections 2.9 to 2.11).
extension Parser {
  // Value[Const] :
  //   - [~Const] Variable
  //   - IntValue
  //   - FloatValue
  //   - StringValue
  //   - BooleanValue
  //   - NullValue
  //   - EnumValue
  //   - ListValue[?Const]
  //   - ObjectValue[?Const]
  mutating func value(constant: Bool) throws(SyntaxError) {
    switch token.kind {
    case .dollar: try variable(constant: constant)
    case .int: try leaf(.intValue)
    case .float: try leaf(.floatValue)
    case .string, .blockString: try leaf(.stringValue, flags: token.flags)
    case .name: try nameValue()
    case .leftBracket: try listValue(constant: constant)
    case .leftBrace: try objectValue(constant: constant)
    default: throw unexpected(token)
    }
  }

  private mutating func leaf(_ kind: NodeKind, flags: NodeFlags = []) throws(SyntaxError) {
    appendLeaf(kind, token: token, flags: flags)
    try advance()
  }

  // BooleanValue : one of true false
  // NullValue : null
  // EnumValue : Name but not true, false or null
  private mutating func nameValue() throws(SyntaxError) {
    if isKeyword("true", token: token) {
      appendLeaf(.booleanValue, token: token, flags: .isTrue)
    } else if isKeyword("false", token: token) {
      appendLeaf(.booleanValue, token: token)
    } else if isKeyword("null", token: token) {
      appendLeaf(.nullValue, token: token)
    } else {
      appendLeaf(.enumValue, token: token, named: true)
    }
    try advance()
  }

  // Variable : $ Name
  private mutating func variable(constant: Bool) throws(SyntaxError) {
    let dollar = token
    let variable = open(.variable)
    try advance()
    if constant {
      guard token.kind == .name else { throw unexpected(dollar) }
      throw SyntaxError("Unexpected variable \"$\(excerpt(token))\" in constant value.", at: dollar.start)
    }
    setName(variable, name: try expectName())
    close(variable)
  }

  // ListValue[Const] :
  //   - [ ]
  //   - [ Value[?Const]+ ]
  private mutating func listValue(constant: Bool) throws(SyntaxError) {
    let list = open(.listValue)
    try descend()
    try advance()
    while try !skip(.rightBracket) { try value(constant: constant) }
    ascend()
    close(list)
  }

  // ObjectValue[Const] :
  //   - { }
  //   - { ObjectField[?Const]+ }
  private mutating func objectValue(constant: Bool) throws(SyntaxError) {
    let object = open(.objectValue)
    try descend()
    try advance()
    while try !skip(.rightBrace) {
      // ObjectField[Const] : Name : Value[?Const]
      let field = open(.objectField)
      setName(field, name: try expectName())
      try expect(.colon)
      try value(constant: constant)
      close(field)
    }
    ascend()
    close(object)
  }

  // DefaultValue : = Value[Const]
  mutating func defaultValue() throws(SyntaxError) {
    if try skip(.equals) { try value(constant: true) }
  }

  // Type : NamedType | ListType | NonNullType
  // ListType : [ Type ]
  // NonNullType : NamedType ! | ListType !
  mutating func type() throws(SyntaxError) {
    let index = nodes.count
    if token.kind == .leftBracket {
      let list = open(.listType)
      try descend()
      try advance()
      try type()
      try expect(.rightBracket)
      ascend()
      close(list)
    } else {
      try namedType()
    }
    if token.kind == .bang { try wrapNonNull(index) }
  }

  // NamedType : Name
  mutating func namedType() throws(SyntaxError) {
    let name = try expectName()
    appendLeaf(.namedType, token: name, named: true)
  }

  /// Inserts the node of a `!` before the nodes of its type, which precedes the `!` in the source. There are seldom
  /// more than three nodes to move.
  private mutating func wrapNonNull(_ type: NodeIndex) throws(SyntaxError) {
    try advance()
    nodes.insert(Node(kind: .nonNullType, start: nodes[type].start), at: type)
    close(type)
  }
}
