/// A schema's definitions as flat tables of plain numbers, found by the hash of a name that the lexer has already made.
///
/// Validation asks for a definition at every node of a document. Copying a `TypeDefinition` retains a dozen buffers; an
/// entry here is a few words and retains nothing. A definition's place in these tables is an `Int`; `none` stands for
/// one that the schema does not have.
package final class SchemaIndex: Sendable {
  package static let none = -1

  /// By the types' places in the schema.
  package let types: [TypeEntry]
  /// The fields of all types, those of introspection among them.
  package let fields: [FieldEntry]
  package let fieldDefinitions: [FieldDefinition]
  /// The arguments of all fields and directives, and the fields of all input objects.
  package let inputs: [InputEntry]
  package let inputDefinitions: [InputValueDefinition]
  /// By the directives' places in the schema.
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

// MARK: Looking up

extension SchemaIndex {
  @inline(__always)
  func type(_ name: Node, _ bytes: [UInt8]) -> Int { members.index(of: name, bytes, in: .types) }

  @inline(__always)
  func directive(_ name: Node, _ bytes: [UInt8]) -> Int { members.index(of: name, bytes, in: .directives) }

  /// A field of a composite type, or none where `type` is none.
  @inline(__always)
  func field(_ name: Node, _ bytes: [UInt8], of type: Int) -> Int {
    members.index(of: name, bytes, in: .type(type))
  }

  @inline(__always)
  func inputField(_ name: Node, _ bytes: [UInt8], of type: Int) -> Int {
    members.index(of: name, bytes, in: .type(type))
  }

  /// The place of a value among its enum's values.
  func enumValue(_ name: Node, _ bytes: [UInt8], of type: Int) -> Int {
    members.index(of: name, bytes, in: .type(type))
  }

  @inline(__always)
  func argument(_ name: Node, _ bytes: [UInt8], ofField field: Int) -> Int {
    members.index(of: name, bytes, in: .field(field))
  }

  @inline(__always)
  func argument(_ name: Node, _ bytes: [UInt8], ofDirective directive: Int) -> Int {
    members.index(of: name, bytes, in: .directive(directive))
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
