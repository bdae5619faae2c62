/// One node of a parsed document, in 32 bytes.
///
/// A document's nodes lie in one array in the order in which they begin ("preorder"), so that parsing allocates for a
/// document and not for a node, and a rule that looks at every node is a loop over an array. A node's children follow
/// it at once; `subtreeEnd` is the index after its last descendant and so where its next sibling begins.
package struct Node: Sendable {
  package var kind: NodeKind
  /// What `kind` says of it: the operation type, a block string, `true`, `repeatable`, the `{ … }` shorthand.
  package var flags: NodeFlags
  /// The bytes of the source that the node covers, from its first token's start to its last token's end.
  package var start: UInt32
  package var end: UInt32
  /// The name that the node bears, by its place in the source; `nameLength` is 0 where it bears none.
  package var nameStart: UInt32
  package var nameLength: UInt32
  /// `NameHash` of the name, made while lexing, so that later lookups do not read the source again.
  package var nameHash: UInt32
  package var subtreeEnd: UInt32

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

  /// Operation definitions and root operation type definitions: neither flag is `query`.
  package static let mutation = NodeFlags(rawValue: 1 << 0)
  package static let subscription = NodeFlags(rawValue: 1 << 1)
  /// An operation written as a selection set alone.
  package static let shorthand = NodeFlags(rawValue: 1 << 2)
  /// A string value in `"""`.
  package static let block = NodeFlags(rawValue: 1 << 3)
  /// A string value whose text differs from the bytes between its quotes: an escape, or a block to be dedented.
  package static let needsDecoding = NodeFlags(rawValue: 1 << 4)
  /// The Boolean value `true`.
  package static let isTrue = NodeFlags(rawValue: 1 << 5)
  /// A directive definition that is `repeatable`.
  package static let repeatable = NodeFlags(rawValue: 1 << 6)
}

/// The grammar's productions that leave a node. Each line says which children a node has, in their order;
/// `?` at most one, `*` any number.
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
