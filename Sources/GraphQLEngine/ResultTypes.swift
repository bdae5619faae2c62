import GraphQL

/// Compares the Swift types that resolvers return with the types of their fields.
///
/// It finds what makes every value of a field an error, and nothing else. Existentials and classes are not checked: the
/// type of their values is known only when they are returned.
struct ResultTypes {
  let schema: Schema
  /// By the names of the object types.
  let swiftTypes: [String: [any Sendable.Type]]
  let abstractTypes: [String: [AbstractType]]
  let scalars: ScalarTypes

  /// Why no value of a Swift type is a value of a field's type; nil if one can be.
  func mismatch(of swiftType: Any.Type, with reference: TypeReference) -> String? {
    let type = schema[reference.type]
    if let container = swiftType as? any ContainerConvertible.Type {
      switch container.contentType {
      case .optional(let wrapped): return mismatch(of: wrapped, with: reference)
      case .list(let element):
        if reference.isList { return mismatch(of: element, with: reference.item) }
        return isCustomScalar(type) ? nil : "\(schema.name(of: reference)) is not a list"
      }
    }
    guard isFinal(swiftType), swiftType != GraphQLValue.self else { return nil }
    if reference.isList { return "\(schema.name(of: reference)) is a list" }
    switch type.kind {
    case .object:
      // Several are a fault of their own.
      guard let types = swiftTypes[type.name], types.count == 1, isFinal(types[0]) else { return nil }
      return types[0] == swiftType ? nil : "the Swift type of \(type.name) is \(types[0])"
    case .interface, .union:
      let types = type.possibleTypes.flatMap { swiftTypes[schema[$0].name] ?? [] }
      let isKnown = (types + (abstractTypes[type.name] ?? []).map(\.swiftType)).contains { $0 == swiftType }
      return isKnown ? nil : "\(swiftType) is not registered as an object type of \(type.name)"
    case .scalar, .enum: return isLeaf(swiftType, of: type) ? nil : "\(type.name) is a leaf type"
    case .inputObject: return nil
    }
  }

  private func isLeaf(_ swiftType: Any.Type, of type: TypeDefinition) -> Bool {
    scalars.byType[ObjectIdentifier(swiftType)] != nil || swiftType is any LeafConvertible.Type
      || swiftType is any RawRepresentable.Type || (isCustomScalar(type) && swiftType is any MembersConvertible.Type)
  }

  private func isCustomScalar(_ type: TypeDefinition) -> Bool {
    type.kind == .scalar && !BuiltInDefinitions.scalars.contains(type.name)
  }

  /// Whether all values have this type and no other. A value of `AnyHashable` is cast like the value in it, and `Never`
  /// has none.
  private func isFinal(_ type: Any.Type) -> Bool {
    guard type != AnyHashable.self, type != Never.self else { return false }
    // The first word of a type's metadata is its kind. Swift has no other way to tell a structure from an existential.
    let kind = unsafeBitCast(type, to: UnsafePointer<UInt>.self).pointee
    return kind == Self.structure || kind == Self.enumeration
  }

  /// The kinds of metadata, which are a part of Swift's ABI.
  private static let structure: UInt = 0x200
  private static let enumeration: UInt = 0x201
}
