import GraphQL

extension GraphQLSchema {
  /// Represents a custom scalar by a Swift type, in arguments and in what resolvers return.
  ///
  /// In requests and responses the scalar is a string: a number or an object of a client is rejected. A scalar of other
  /// values is represented by `scalar(_:_:readValue:writeValue:)`. Without either, a custom scalar accepts every value,
  /// which arguments have as a `GraphQLValue`, and resolvers return strings, numbers, booleans, arrays or dictionaries
  /// of them, or a `GraphQLValue`.
  ///
  /// ```swift
  /// schema.scalar("Day", Day.self) { Day($0) } write: { $0.description }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of the scalar in the schema, which is not a built-in one such as `ID`.
  ///   - type: The Swift type of its values. A type represents one scalar. It is `Decodable` so that it can be an
  ///     argument; `read` is called in place of its `init(from:)`.
  ///   - read: Returns the value of a client's string, or `nil` to reject the request.
  ///   - write: Returns the string of a value.
  public mutating func scalar<Value: Decodable & Sendable>(
    _ name: String,
    _ type: Value.Type,
    read: @escaping @Sendable (String) -> Value?,
    write: @escaping @Sendable (Value) -> String
  ) {
    let readText = { @Sendable (value: InputValue) -> Value? in
      if case .string(let text) = value { read(text) } else { nil }
    }
    scalars.register(name, type, read: readText, write: { .string(write($0)) })
  }

  /// Represents a custom scalar by a Swift type, in arguments and in what resolvers return. In requests and responses
  /// the scalar is any JSON value, such as a number or an object.
  ///
  /// ```swift
  /// schema.scalar("Money", Money.self) { value in
  ///   if case .int(let cents) = value { Money(cents: cents) } else { nil }
  /// } writeValue: { .int($0.cents) }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of the scalar in the schema, which is not a built-in one such as `ID`.
  ///   - type: The Swift type of its values. A type represents one scalar. It is `Decodable` so that it can be an
  ///     argument; `readValue` is called in place of its `init(from:)`.
  ///   - readValue: Returns the value of what a client sends, which is never `null`, or `nil` to reject the request.
  ///   - writeValue: Returns what a client receives for a value.
  public mutating func scalar<Value: Decodable & Sendable>(
    _ name: String,
    _ type: Value.Type,
    readValue: @escaping @Sendable (GraphQLValue) -> Value?,
    writeValue: @escaping @Sendable (Value) -> GraphQLValue
  ) {
    let read = { @Sendable (value: InputValue) -> Value? in
      switch value {
      case .null, .upload: nil
      default: GraphQLValue(value).flatMap(readValue)
      }
    }
    scalars.register(name, type, read: read, write: { writeValue($0).leafValue })
  }
}

/// The custom scalars that Swift types represent.
struct ScalarTypes: Sendable {
  struct Conversion: Sendable {
    let read: @Sendable (InputValue) -> Any?
    let write: @Sendable (Any) -> LeafValue?
  }

  var byName: [String: ScalarCoercion] = [:]
  /// By Swift type.
  var byType: [ObjectIdentifier: Conversion] = [:]
  /// Each name with each of its Swift types, in the order of their registration. Those that share one are a fault.
  private(set) var registered: [(name: String, type: any Sendable.Type)] = []

  /// Adds a scalar whose values have a conversion of their own.
  mutating func register<Value: Sendable>(
    _ name: String,
    _ type: Value.Type,
    read: @escaping @Sendable (InputValue) -> Value?,
    write: @escaping @Sendable (Value) -> LeafValue
  ) {
    byName[name] = ScalarCoercion { value, _, shown throws(ScalarError) in
      guard read(value) != nil else { throw ScalarError("\(name) cannot represent \(shown())") }
      return value
    }
    byType[ObjectIdentifier(type)] = Conversion(
      read: { read($0) },
      write: { value in (value as? Value).map(write) }
    )
    register(name, type)
  }

  mutating func register(_ name: String, _ type: any Sendable.Type) {
    if !registered.contains(where: { $0.name == name && $0.type == type }) { registered.append((name, type)) }
  }
}
