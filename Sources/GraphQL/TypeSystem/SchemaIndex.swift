/// A schema's definitions in flat tables of trivial values, found by the hash of a name that the lexer has already
/// computed.
///
/// Validation looks up a definition at every node of a document. Copying a `TypeDefinition` retains a dozen buffers; an
/// entry of these tables is a few words and retains nothing. A definition is identified by its index in these tables,
/// an `Int`. The constant `none` represents an undefined element.
package final class SchemaIndex: Sendable {
  package static let none = -1

  /// Indexed like the types of the schema.
  package let types: [TypeEntry]
  /// The fields of all types, including the meta-fields.
  package let fields: [FieldEntry]
  package let fieldDefinitions: [FieldDefinition]
  /// The arguments of all fields and directives, and the fields of all input objects.
  package let inputs: [InputEntry]
  package let inputDefinitions: [InputValueDefinition]
  /// Indexed like the directives of the schema.
  package let directives: [DirectiveEntry]

  private let members: MemberTable
  private let overlaps: PossibleTypeSets

  init(
    types: [TypeDefinition],
    typeNames: NameTable,
    directives: [DirectiveDefinition],
    queryType: TypeID
  ) {
    let builder = SchemaIndexBuilder(
      types: types,
      typeNames: typeNames,
      directives: directives,
      queryType: queryType
    )
    self.types = builder.types
    fields = builder.fields
    fieldDefinitions = builder.fieldDefinitions
    inputs = builder.inputs
    inputDefinitions = builder.inputDefinitions
    self.directives = builder.directives
    members = builder.members
    overlaps = PossibleTypeSets(types)
  }
}

// MARK: Lookup

extension SchemaIndex {
  @inline(__always)
  func type(_ name: Node, bytes: [UInt8]) -> Int { members.index(of: name, bytes, in: .types) }

  @inline(__always)
  func directive(_ name: Node, bytes: [UInt8]) -> Int { members.index(of: name, bytes, in: .directives) }

  /// The index of a field of a composite type, or `none`, also if `type` is `none`.
  @inline(__always)
  func field(_ name: Node, bytes: [UInt8], of type: Int) -> Int {
    members.index(of: name, bytes, in: .type(type))
  }

  @inline(__always)
  func inputField(_ name: Node, bytes: [UInt8], of type: Int) -> Int {
    members.index(of: name, bytes, in: .type(type))
  }

  /// The index of a value among the values of its enum, or `none`.
  func enumValue(_ name: Node, bytes: [UInt8], of type: Int) -> Int {
    members.index(of: name, bytes, in: .type(type))
  }

  @inline(__always)
  func argument(_ name: Node, bytes: [UInt8], ofField field: Int) -> Int {
    members.index(of: name, bytes, in: .field(field))
  }

  @inline(__always)
  func argument(_ name: Node, bytes: [UInt8], ofDirective directive: Int) -> Int {
    members.index(of: name, bytes, in: .directive(directive))
  }

  /// Whether any object type is a possible type of both types (specification, section 5.5.2.3).
  @inline(__always)
  func overlap(_ one: Int, _ other: Int) -> Bool { one == other || overlaps.intersect(one, other) }

  /// The type that a document references, or nil if the schema has no type of that name or the type has too many
  /// wrappers.
  func reference(_ node: NodeIndex, nodes: [Node], bytes: [UInt8]) -> TypeReference? {
    var at = node
    var wrappers: UInt32 = 0
    var shift: UInt32 = 0
    while nodes[at].kind != .namedType {
      guard shift < 2 * UInt32(TypeReference.maximumWrappers) else { return nil }
      wrappers |= (nodes[at].kind == .nonNullType ? 0b10 : 0b01) << shift
      shift += 2
      at += 1
    }
    let type = type(nodes[at], bytes: bytes)
    return type < 0 ? nil : TypeReference(type: TypeID(type), wrappers: wrappers)
  }
}
