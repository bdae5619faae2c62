/// The index of a named type in the types of its schema.
package struct TypeID: Hashable, Sendable {
  package let index: Int
  package init(_ index: Int) { self.index = index }
}

/// A type reference: a named type with its list and non-null wrappers, such as `[Chore!]!` (specification, sections
/// 3.11 and 3.12).
///
/// The wrappers are stored in one word, two bits each, the outermost lowest. Validation compares and unwraps a type for
/// every argument and field, and this representation requires no memory access.
package struct TypeReference: Hashable, Sendable {
  package let type: TypeID
  package let wrappers: UInt32

  private static let list: UInt32 = 0b01
  private static let nonNull: UInt32 = 0b10
  /// The maximum number of wrappers: eight lists, with every level non-null. No schema in use comes close.
  package static let maximumWrappers = 16

  package init(type: TypeID, wrappers: UInt32 = 0) {
    self.type = type
    self.wrappers = wrappers
  }

  package var isNonNull: Bool { wrappers & 0b11 == Self.nonNull }
  package var isList: Bool { nullable.wrappers & 0b11 == Self.list }
  package var isNamed: Bool { wrappers == 0 }

  /// The type without its outermost `!`.
  package var nullable: TypeReference { isNonNull ? TypeReference(type: type, wrappers: wrappers >> 2) : self }
  /// The type of a list's items. The type must be a list.
  package var item: TypeReference {
    let list = nullable
    precondition(list.wrappers & 0b11 == Self.list)
    return TypeReference(type: type, wrappers: list.wrappers >> 2)
  }

  package var wrappedInList: TypeReference { TypeReference(type: type, wrappers: wrappers << 2 | Self.list) }
  package var wrappedInNonNull: TypeReference {
    isNonNull ? self : TypeReference(type: type, wrappers: wrappers << 2 | Self.nonNull)
  }

  /// - Parameter wrappers: Of the kinds `listType` and `nonNullType`, the outermost first; at most `maximumWrappers`.
  init(_ type: TypeID, in wrappers: [NodeKind]) {
    self = wrappers.reversed().reduce(TypeReference(type: type)) { reference, wrapper in
      wrapper == .listType ? reference.wrappedInList : reference.wrappedInNonNull
    }
  }
}

extension Document {
  /// The wrappers of a type, the outermost first, and the named type within them.
  func unwrapped(_ type: NodeIndex) -> (wrappers: [NodeKind], named: NodeIndex) {
    var wrappers: [NodeKind] = []
    var at = type
    while nodes[at].kind != .namedType {
      wrappers.append(nodes[at].kind)
      at += 1
    }
    return (wrappers, at)
  }
}
