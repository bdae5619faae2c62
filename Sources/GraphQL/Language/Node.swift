/// A node of a parsed document, in 32 bytes.
///
/// The nodes of a document are stored in one array in preorder. So parsing allocates once per document instead of once
/// per node, and a rule that visits every node is a loop over an array. The children of a node follow it immediately.
/// `subtreeEnd` is the index after its last descendant, where its next sibling starts.
@usableFromInline package struct Node: Sendable {
  package var kind: NodeKind
  /// Attributes of the node: the operation type, a block string, `true`, `repeatable`.
  package var flags: NodeFlags
  /// The range of the node in the source, in bytes, from the start of its first token to the end of its last token.
  package var start: UInt32
  package var end: UInt32
  /// The offset of the node's name in the source. `nameLength` is 0 if the node has no name.
  package var nameStart: UInt32
  package var nameLength: UInt32
  /// The `NameHash` of the name, computed by the lexer, so that lookups do not access the source.
  package var nameHash: UInt32
  @usableFromInline package var subtreeEnd: UInt32

  package init(
    kind: NodeKind,
    flags: NodeFlags = [],
    start: UInt32,
    end: UInt32 = 0,
    nameStart: UInt32 = 0,
    nameLength: UInt32 = 0,
    nameHash: UInt32 = 0,
    subtreeEnd: UInt32 = 0
  ) {
    self.kind = kind
    self.flags = flags
    self.start = start
    self.end = end
    self.nameStart = nameStart
    self.nameLength = nameLength
    self.nameHash = nameHash
    self.subtreeEnd = subtreeEnd
  }
}

package struct NodeFlags: OptionSet, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// For operation definitions and root operation type definitions. Without this flag and `subscription`, the operation
  /// type is `query`.
  package static let mutation = NodeFlags(rawValue: 1 << 0)
  package static let subscription = NodeFlags(rawValue: 1 << 1)
  /// A string value in `"""`.
  package static let block = NodeFlags(rawValue: 1 << 2)
  /// A string value that differs from the bytes between its quotes: it has escape sequences, or is a block string with
  /// indentation.
  package static let needsDecoding = NodeFlags(rawValue: 1 << 3)
  /// The Boolean value `true`.
  package static let isTrue = NodeFlags(rawValue: 1 << 4)
  /// A directive definition with `repeatable`.
  package static let repeatable = NodeFlags(rawValue: 1 << 5)
}

/// The productions of the grammar that create a node. Each comment lists the children of a node in their order; `?`
/// means at most one, `*` any number.
package enum NodeKind: UInt8, Sendable {
  /// definition*
  case document

  // Executable definitions (specification, section 2)
  /// name?; stringValue? (description) variableDefinition* directive* selectionSet
  case operationDefinition
  /// name without `$`; stringValue? (description) type value? (default) directive*
  case variableDefinition
  /// (field | fragmentSpread | inlineFragment)*
  case selectionSet
  /// name; alias? argument* directive* selectionSet?
  case field
  /// name; no children
  case alias
  /// name; value
  case argument
  /// name; directive*
  case fragmentSpread
  /// namedType? (type condition) directive* selectionSet
  case inlineFragment
  /// name; stringValue? (description) namedType (type condition) directive* selectionSet
  case fragmentDefinition
  /// name; argument*
  case directive

  // Values
  /// name without `$`
  case variable
  case intValue
  case floatValue
  /// `block`, `needsDecoding`
  case stringValue
  /// `isTrue`
  case booleanValue
  case nullValue
  /// name
  case enumValue
  /// value*
  case listValue
  /// objectField*
  case objectValue
  /// name; value
  case objectField

  // Types
  /// name
  case namedType
  /// type
  case listType
  /// namedType | listType
  case nonNullType

  // Type system definitions and extensions (section 3)
  /// stringValue? directive* rootOperationTypeDefinition*
  case schemaDefinition
  case schemaExtension
  /// `mutation`, `subscription`; namedType
  case rootOperationTypeDefinition
  /// name; stringValue? directive*
  case scalarTypeDefinition
  case scalarTypeExtension
  /// name; stringValue? namedType* (interfaces) directive* fieldDefinition*
  case objectTypeDefinition
  case objectTypeExtension
  case interfaceTypeDefinition
  case interfaceTypeExtension
  /// name; stringValue? directive* namedType* (members)
  case unionTypeDefinition
  case unionTypeExtension
  /// name; stringValue? directive* enumValueDefinition*
  case enumTypeDefinition
  case enumTypeExtension
  /// name; stringValue? directive* inputValueDefinition*
  case inputObjectTypeDefinition
  case inputObjectTypeExtension
  /// name; stringValue? inputValueDefinition* (arguments) type directive*
  case fieldDefinition
  /// name; stringValue? type value? (default) directive*
  case inputValueDefinition
  /// name; stringValue? directive*
  case enumValueDefinition
  /// name, `repeatable`; stringValue? inputValueDefinition* (arguments) directiveLocation*
  case directiveDefinition
  /// name
  case directiveLocation
}

extension NodeKind {
  package var isValue: Bool { rawValue >= NodeKind.variable.rawValue && rawValue <= NodeKind.objectValue.rawValue }
  package var isType: Bool { rawValue >= NodeKind.namedType.rawValue && rawValue <= NodeKind.nonNullType.rawValue }
  package var isExecutableDefinition: Bool { self == .operationDefinition || self == .fragmentDefinition }
}
