import GraphQL

extension GraphQLSchema {
  /// Represents a custom scalar by a Swift type, in arguments and in what resolvers return.
  ///
  /// In requests and responses the scalar is a string: a number or an object of a client is rejected. Without this,
  /// a custom scalar accepts every value, and resolvers return strings, numbers, booleans or arrays of them for it, but
  /// no objects.
  ///
  /// ```swift
  /// schema.scalar("Day", Day.self) { Day($0) } write: { $0.description }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of the scalar in the schema, which is not a built-in one such as `ID`.
  ///   - type: The Swift type of its values. A type represents one scalar.
  ///   - read: Returns the value of a client's string, or `nil` to reject the request.
  ///   - write: Returns the string of a value.
  public mutating func scalar<Value: Decodable & Sendable>(
    _ name: String,
    _ type: Value.Type,
    read: @escaping @Sendable (String) -> Value?,
    write: @escaping @Sendable (Value) -> String
  ) {
    scalars.byName[name] = ScalarCoercion { value, _, shown throws(ScalarError) in
      guard case .string(let text) = value, read(text) != nil else {
        throw ScalarError("\(name) cannot represent \(shown())")
      }
      return value
    }
    scalars.register(name, type)
    scalars.byType[ObjectIdentifier(type)] = ScalarTypes.Conversion(
      read: { read($0) },
      write: { value in (value as? Value).map(write) }
    )
  }
}

/// The custom scalars that Swift types represent.
struct ScalarTypes: Sendable {
  struct Conversion: Sendable {
    let read: @Sendable (String) -> Any?
    let write: @Sendable (Any) -> String?
  }

  var byName: [String: ScalarCoercion] = [:]
  /// By Swift type.
  var byType: [ObjectIdentifier: Conversion] = [:]
  /// Each name with each of its Swift types, in the order of their registration. Those that share one are a fault.
  private(set) var registered: [(name: String, type: any Sendable.Type)] = []

  mutating func register(_ name: String, _ type: any Sendable.Type) {
    if !registered.contains(where: { $0.name == name && $0.type == type }) { registered.append((name, type)) }
  }
}
