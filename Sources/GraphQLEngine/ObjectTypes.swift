import GraphQL

/// The object types that a field's values can have.
enum ObjectTypes: Sendable {
  /// The field's type is an object type.
  case one(TypeID)
  /// The field's type is an interface or a union.
  case several(PossibleTypes)

  /// The objects of a resolver's Swift value.
  func resolved(_ value: Any) throws -> ResolvedValue {
    if let container = value as? any ContainerConvertible {
      switch container.contents {
      case .none: return .null
      case .one(let value): return try resolved(value)
      case .list(let items): return .list(try items.map { try resolved($0) })
      }
    }
    switch self {
    case .one(let type): return .object(type, ObjectValue(value: value))
    case .several(let types): return try types.object(value)
    }
  }
}

/// The object types of an interface or a union.
struct PossibleTypes: Sendable {
  /// The name of the interface or union.
  let name: String
  /// By their Swift types.
  var bySwiftType: [ObjectIdentifier: TypeID] = [:]
  var byName: [String: TypeID] = [:]
  /// The Swift types of the interface or union itself.
  var abstractTypes: [AbstractType] = []

  func object(_ value: Any) throws -> ResolvedValue {
    if case .object(let object) = kind(of: value) { return try contained(try object(value)) }
    return try contained(value)
  }

  /// An object, whose Swift type can be that of several object types.
  private func contained(_ value: Any) throws -> ResolvedValue {
    guard case .typeName(let name) = kind(of: value) else { return try registered(value) }
    let typeName = try name(value)
    guard let type = byName[typeName] else {
      throw UnsuitableValue(description: "\(typeName) is not an object type of \(self.name)")
    }
    return .object(type, ObjectValue(value: value))
  }

  private func kind(of value: Any) -> AbstractType.Kind? {
    let swiftType = type(of: value)
    return abstractTypes.first { $0.swiftType == swiftType }?.kind
  }

  private func registered(_ value: Any) throws -> ResolvedValue {
    guard let type = bySwiftType[ObjectIdentifier(type(of: value))] else {
      throw UnsuitableValue(description: "\(type(of: value)) is not registered as an object type of \(name)")
    }
    return .object(type, ObjectValue(value: value))
  }
}
