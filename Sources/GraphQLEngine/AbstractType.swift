extension GraphQLSchema {
  /// Represents an interface or a union by a Swift type that contains the objects, such as an enum with a case for each
  /// object type.
  ///
  /// ```swift
  /// schema.abstractType("OrderResult", OrderResult.self) { result in
  ///   switch result {
  ///   case .order(let order): order
  ///   case .outOfStock(let problem): problem
  ///   }
  /// }
  /// ```
  ///
  /// Resolvers of fields of this type can still return the objects themselves.
  ///
  /// - Parameters:
  ///   - name: The name of the interface or union in the schema.
  ///   - type: The Swift type.
  ///   - object: Returns the object, whose Swift type is that of one of the object types.
  public mutating func abstractType<Value: Sendable>(
    _ name: String,
    _ type: Value.Type,
    object: @escaping @Sendable (Value) -> any Sendable
  ) {
    let kind = AbstractType.Kind.object { object(try AbstractType.value($0)) }
    abstractTypes[name, default: []].append(AbstractType(swiftType: type, kind: kind))
  }

  /// Represents an interface or a union by a Swift type that is the type of several of its object types, such as a row
  /// with a column for the kind.
  ///
  /// ```swift
  /// schema.abstractType("Product", Item.self, typeName: { $0.isMagazine ? "Magazine" : "Book" })
  /// schema.object("Magazine", Item.self) { magazine in … }
  /// schema.object("Book", Item.self) { book in … }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of the interface or union in the schema.
  ///   - type: The Swift type.
  ///   - typeName: Returns the name of a value's object type.
  public mutating func abstractType<Value: Sendable>(
    _ name: String,
    _ type: Value.Type,
    typeName: @escaping @Sendable (Value) -> String
  ) {
    let kind = AbstractType.Kind.typeName { typeName(try AbstractType.value($0)) }
    abstractTypes[name, default: []].append(AbstractType(swiftType: type, kind: kind))
  }
}

/// A Swift type that represents an interface or a union.
struct AbstractType: Sendable {
  enum Kind: Sendable {
    /// Its values contain the objects.
    case object(@Sendable (Any) throws -> any Sendable)
    /// Its values are objects of several types.
    case typeName(@Sendable (Any) throws -> String)
  }

  let swiftType: any Sendable.Type
  let kind: Kind

  /// Whether it is the Swift type of several object types.
  var isShared: Bool { if case .typeName = kind { true } else { false } }

  fileprivate static func value<Value>(_ value: Any) throws -> Value {
    guard let value = value as? Value else {
      throw UnsuitableValue(description: "\(type(of: value)) is not a \(Value.self)")
    }
    return value
  }
}
