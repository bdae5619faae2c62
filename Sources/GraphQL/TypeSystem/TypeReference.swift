/// The place of a named type in its schema's list of types.
package struct TypeID: Hashable, Sendable {
  package let index: Int
  package init(_ index: Int) { self.index = index }
}

/// A use of a type: a named type in its wrappers, as `[Chore!]!` (specification, section 3.11 and 3.12).
///
/// The wrappers lie in one word, two bits each, the outermost lowest, so that comparing and unwrapping types, which
/// validation does for every argument and field, touches no memory.
package struct TypeReference: Hashable, Sendable {
  package let type: TypeID
  package let wrappers: UInt32

  private static let list: UInt32 = 0b01
  private static let nonNull: UInt32 = 0b10
  /// How many wrappers fit: eight lists with every level non-null. No schema in use comes near.
  package static let maximumWrappers = 16

  package init(type: TypeID, wrappers: UInt32 = 0) {
    self.type = type
    self.wrappers = wrappers
  }

  package var isNonNull: Bool { wrappers & 0b11 == Self.nonNull }
  package var isList: Bool { nullable.wrappers & 0b11 == Self.list }
  package var isNamed: Bool { wrappers == 0 }

  /// The type without an outermost `!`.
  package var nullable: TypeReference { isNonNull ? TypeReference(type: type, wrappers: wrappers >> 2) : self }
  /// The type of a list's items; only for lists.
  package var item: TypeReference {
    let list = nullable
    precondition(list.wrappers & 0b11 == Self.list)
    return TypeReference(type: type, wrappers: list.wrappers >> 2)
  }

  package var wrappedInList: TypeReference { TypeReference(type: type, wrappers: wrappers << 2 | Self.list) }
  package var wrappedInNonNull: TypeReference {
    isNonNull ? self : TypeReference(type: type, wrappers: wrappers << 2 | Self.nonNull)
  }
}
