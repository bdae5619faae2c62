// The entries of `SchemaIndex`.

package struct TypeEntry: Sendable {
  package let kind: TypeKind
  package let literal: LiteralKind
  package let isOneOf: Bool
  /// Whether the name begins with `__`.
  package let isIntrospection: Bool
  /// The fields of an object or interface type, without its meta-fields.
  package var fields: Range<Int> = 0..<0
  package var inputs: Range<Int> = 0..<0
  package var requiredInputs = 0

  init(_ type: TypeDefinition) {
    kind = type.kind
    literal =
      switch type.kind {
      case .scalar: LiteralKind(scalar: type.name)
      case .enum: .enumeration
      default: .none
      }
    isOneOf = type.isOneOf
    isIntrospection = type.name.hasPrefix("__")
  }

  package var isComposite: Bool { kind == .object || kind == .interface || kind == .union }
  package var isLeaf: Bool { kind == .scalar || kind == .enum }
  package var isInput: Bool { kind == .scalar || kind == .enum || kind == .inputObject }
}

package struct FieldEntry: Sendable {
  package let type: TypeReference
  package let arguments: Range<Int>
  package let requiredArguments: Int
  package let isDeprecated: Bool
}

package struct InputEntry: Sendable {
  package let type: TypeReference
  package let hasDefault: Bool
  package let isDeprecated: Bool
  package let nameHash: UInt32

  package var isRequired: Bool { type.isNonNull && !hasDefault }
}

package struct DirectiveEntry: Sendable {
  package let arguments: Range<Int>
  package let requiredArguments: Int
  package let isRepeatable: Bool
  /// The `DirectiveLocation.executableBit` of each location.
  package let locations: UInt8
}

/// The kind of literals that a type accepts, for a fast check by the kind of a literal's node.
package enum LiteralKind: UInt8, Sendable {
  case none, int, float, string, boolean, id, custom, enumeration

  init(scalar name: String) {
    switch name {
    case "Int": self = .int
    case "Float": self = .float
    case "String": self = .string
    case "Boolean": self = .boolean
    case "ID": self = .id
    default: self = .custom
    }
  }
}

extension DirectiveLocation {
  /// The bit of an executable directive location, or 0 for a type system directive location.
  var executableBit: UInt8 {
    switch self {
    case .query: 1 << 0
    case .mutation: 1 << 1
    case .subscription: 1 << 2
    case .field: 1 << 3
    case .fragmentDefinition: 1 << 4
    case .fragmentSpread: 1 << 5
    case .inlineFragment: 1 << 6
    case .variableDefinition: 1 << 7
    default: 0
    }
  }
}

/// The implicit meta-fields (specification, sections 4.1 and 4.4).
extension FieldDefinition {
  static func typename(_ types: NameTable) -> FieldDefinition? {
    types.reference("String").map { FieldDefinition("__typename", type: $0.wrappedInNonNull) }
  }

  static func schema(_ types: NameTable) -> FieldDefinition? {
    types.reference("__Schema").map { FieldDefinition("__schema", type: $0.wrappedInNonNull) }
  }

  static func type(_ types: NameTable) -> FieldDefinition? {
    guard let type = types.reference("__Type"), let string = types.reference("String") else { return nil }
    let name = InputValueDefinition(name: "name", type: string.wrappedInNonNull, directives: [])
    return FieldDefinition("__type", type: type, arguments: [name])
  }

  private init(_ name: String, type: TypeReference, arguments: [InputValueDefinition] = []) {
    self.init(
      name: name,
      arguments: arguments,
      argumentNames: NameTable(arguments.map(\.name)),
      type: type,
      directives: []
    )
  }
}

extension NameTable {
  fileprivate func reference(_ name: String) -> TypeReference? {
    index(of: name).map { TypeReference(type: TypeID($0)) }
  }
}
