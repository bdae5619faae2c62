package enum TypeKind: String, Sendable {
  case scalar = "SCALAR"
  case object = "OBJECT"
  case interface = "INTERFACE"
  case union = "UNION"
  case `enum` = "ENUM"
  case inputObject = "INPUT_OBJECT"
}

/// A named type of a schema (specification, section 3.4).
package struct TypeDefinition: Sendable {
  package var name: String
  package var kind: TypeKind
  package var description: String?
  /// The fields of an object or interface type.
  package var fields: [FieldDefinition] = []
  package var fieldNames = NameTable([])
  /// The interfaces that an object or interface type implements, in the order written.
  package var interfaces: [TypeID] = []
  /// For a union, its members in the order written. For an interface, the object types that implement it. For an object
  /// type, the type itself.
  package var possibleTypes: [TypeID] = []
  package var enumValues: [EnumValueDefinition] = []
  package var enumValueNames = NameTable([])
  package var inputFields: [InputValueDefinition] = []
  package var inputFieldNames = NameTable([])
  package var isOneOf = false
  /// The URL of `@specifiedBy(url:)` on a scalar.
  package var specifiedByURL: String?
  package var directives: [AppliedDirective] = []

  package var isComposite: Bool { kind == .object || kind == .interface || kind == .union }
  package var isAbstract: Bool { kind == .interface || kind == .union }
  package var isLeaf: Bool { kind == .scalar || kind == .enum }
  package var isInput: Bool { kind == .scalar || kind == .enum || kind == .inputObject }
  package var isOutput: Bool { kind != .inputObject }

  package func field(_ name: String) -> FieldDefinition? {
    fieldNames.index(of: name).map { fields[$0] }
  }
}

package struct FieldDefinition: Sendable {
  package var name: String
  package var description: String?
  package var arguments: [InputValueDefinition]
  package var argumentNames: NameTable
  package var type: TypeReference
  package var deprecationReason: String?
  package var directives: [AppliedDirective]
}

/// The definition of an argument or of an input object field.
package struct InputValueDefinition: Sendable {
  package var name: String
  package var description: String?
  package var type: TypeReference
  /// The default value as written. `defaultValue` is the coerced value.
  package var defaultLiteral: String?
  package var defaultValue: InputValue?
  package var deprecationReason: String?
  package var directives: [AppliedDirective]

  /// Whether a value must be provided (specification, sections 3.6.1 and 3.10).
  package var isRequired: Bool { type.isNonNull && defaultLiteral == nil }
}

package struct EnumValueDefinition: Sendable {
  package var name: String
  package var description: String?
  package var deprecationReason: String?
  package var directives: [AppliedDirective]
}

package struct DirectiveDefinition: Sendable {
  package var name: String
  package var description: String?
  package var arguments: [InputValueDefinition]
  package var argumentNames: NameTable
  package var isRepeatable: Bool
  package var locations: [DirectiveLocation]
}
