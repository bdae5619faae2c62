/// A schema's definitions as flat tables of plain numbers, found by the hash of a name that the lexer has already made.
///
/// Validation asks for a definition at every node of a document. Copying a `TypeDefinition` retains a dozen buffers;
/// an entry here is a few words and retains nothing. A definition's place in these tables is an `Int`; `none` stands for
/// one that the schema does not have.
package struct SchemaIndex: Sendable {
  package static let none = -1

  /// By the types' places in the schema.
  package private(set) var types: [TypeEntry] = []
  /// The fields of all types, those of introspection among them.
  package private(set) var fields: [FieldEntry] = []
  package private(set) var fieldDefinitions: [FieldDefinition] = []
  /// The arguments of all fields and directives, and the fields of all input objects.
  package private(set) var inputs: [InputEntry] = []
  package private(set) var inputDefinitions: [InputValueDefinition] = []
  /// By the directives' places in the schema.
  package private(set) var directives: [DirectiveEntry] = []

  private var members: MemberTable
  private let overlaps: PossibleTypeSets

  init(
    types definitions: [TypeDefinition],
    typeNames: NameTable,
    directives directiveDefinitions: [DirectiveDefinition],
    queryType: TypeID
  ) {
    members = MemberTable(capacity: Self.memberCount(of: definitions, directiveDefinitions))
    overlaps = PossibleTypeSets(definitions)
    for (place, type) in definitions.enumerated() {
      members.insert(type.name, at: place, of: .types)
      types.append(TypeEntry(type))
    }
    for (place, type) in definitions.enumerated() {
      let owner = MemberTable.Owner.type(place)
      for field in type.fields { insert(field, of: owner) }
      for (place, value) in type.enumValues.enumerated() { members.insert(value.name, at: place, of: owner) }
      types[place].inputs = insert(type.inputFields, of: owner)
      types[place].requiredInputs = type.inputFields.count { $0.isRequired }
      if type.isComposite { insert(.typename(typeNames), of: owner) }
    }
    insert(.schema(typeNames), of: .type(queryType.index))
    insert(.type(typeNames), of: .type(queryType.index))
    for (place, directive) in directiveDefinitions.enumerated() {
      members.insert(directive.name, at: place, of: .directives)
      directives.append(
        DirectiveEntry(
          arguments: insert(directive.arguments, of: .directive(place)),
          requiredArguments: directive.arguments.count { $0.isRequired },
          isRepeatable: directive.isRepeatable,
          locations: directive.locations.reduce(0) { $0 | $1.executableBit }
        )
      )
    }
  }

  private mutating func insert(_ field: FieldDefinition?, of owner: MemberTable.Owner) {
    guard let field else { return }
    let place = fields.count
    members.insert(field.name, at: place, of: owner)
    fieldDefinitions.append(field)
    fields.append(
      FieldEntry(
        type: field.type,
        arguments: insert(field.arguments, of: .field(place)),
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

// MARK: Looking up

extension SchemaIndex {
  @inline(__always)
  func type(_ name: Node, _ bytes: [UInt8]) -> Int { members.place(of: name, bytes, in: .types) }

  @inline(__always)
  func directive(_ name: Node, _ bytes: [UInt8]) -> Int { members.place(of: name, bytes, in: .directives) }

  /// A field of a composite type, or none where `type` is none.
  @inline(__always)
  func field(_ name: Node, _ bytes: [UInt8], of type: Int) -> Int {
    members.place(of: name, bytes, in: .type(type))
  }

  @inline(__always)
  func inputField(_ name: Node, _ bytes: [UInt8], of type: Int) -> Int {
    members.place(of: name, bytes, in: .type(type))
  }

  /// The place of a value among its enum's values.
  func enumValue(_ name: Node, _ bytes: [UInt8], of type: Int) -> Int {
    members.place(of: name, bytes, in: .type(type))
  }

  @inline(__always)
  func argument(_ name: Node, _ bytes: [UInt8], ofField field: Int) -> Int {
    members.place(of: name, bytes, in: .field(field))
  }

  @inline(__always)
  func argument(_ name: Node, _ bytes: [UInt8], ofDirective directive: Int) -> Int {
    members.place(of: name, bytes, in: .directive(directive))
  }

  /// Whether some object can be of both types (specification, section 5.5.2.3).
  @inline(__always)
  func overlap(_ one: Int, _ other: Int) -> Bool { one == other || overlaps.intersect(one, other) }

  /// The type that a document writes; nil where it names none of the schema's or wraps it too deeply.
  func reference(_ node: NodeIndex, _ nodes: [Node], _ bytes: [UInt8]) -> TypeReference? {
    var at = node
    var wrappers: UInt32 = 0
    var shift: UInt32 = 0
    while nodes[at].kind != .namedType {
      guard shift < 2 * UInt32(TypeReference.maximumWrappers) else { return nil }
      wrappers |= (nodes[at].kind == .nonNullType ? 0b10 : 0b01) << shift
      shift += 2
      at += 1
    }
    let type = type(nodes[at], bytes)
    return type < 0 ? nil : TypeReference(type: TypeID(type), wrappers: wrappers)
  }
}
