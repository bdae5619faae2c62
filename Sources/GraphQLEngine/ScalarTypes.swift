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
  ///   - read: Returns the value of a client's string. To reject the request, it returns `nil` or throws. The message
  ///     of a `GraphQLError` is then a part of the client's error, after `Day cannot represent "x"`.
  ///   - write: Returns the string of a value.
  public mutating func scalar<Value: Decodable & Sendable>(
    _ name: String,
    _ type: Value.Type,
    read: @escaping @Sendable (String) throws -> Value?,
    write: @escaping @Sendable (Value) -> String
  ) {
    scalars.register(name, type, read: ScalarTypes.reading(read), write: { .string(write($0)) })
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
  ///   - readValue: Returns the value of what a client sends, which is never `null`. To reject the request, it returns
  ///     `nil` or throws. The message of a `GraphQLError` is then a part of the client's error.
  ///   - writeValue: Returns what a client receives for a value.
  public mutating func scalar<Value: Decodable & Sendable>(
    _ name: String,
    _ type: Value.Type,
    readValue: @escaping @Sendable (GraphQLValue) throws -> Value?,
    writeValue: @escaping @Sendable (Value) -> GraphQLValue
  ) {
    scalars.register(name, type, read: ScalarTypes.reading(readValue), write: { writeValue($0).leafValue })
  }
}

/// The scalars that Swift types represent.
struct ScalarTypes: Sendable {
  struct Conversion: Sendable {
    /// Returns nil or throws if the value represents none of the type.
    let read: @Sendable (InputValue) throws -> Any?
    let write: @Sendable (Any) -> LeafValue?
  }

  var byName: [String: ScalarCoercion] = [:]
  /// By Swift type.
  var byType: [ObjectIdentifier: Conversion] = [:]
  /// Each name with each of its Swift types, in the order of their registration. Those that share one are a fault.
  private(set) var registered: [(name: String, type: any Sendable.Type)] = []
  /// The built-in scalars in the same form, which can have several Swift types. `isText` if only strings are read.
  private(set) var represented: [(name: String, type: any Sendable.Type, isText: Bool)] = []

  /// Adds a scalar whose values have a conversion of their own.
  mutating func register<Value: Sendable>(
    _ name: String,
    _ type: Value.Type,
    read: @escaping @Sendable (InputValue) throws -> Value?,
    write: @escaping @Sendable (Value) -> LeafValue
  ) {
    byName[name] = ScalarCoercion { value, _, shown throws(ScalarError) in
      var reason = ""
      do {
        if try read(value) != nil { return value }
      } catch {
        reason = GraphQLError(showing: error).map { ": \($0.message)" } ?? ""
      }
      throw ScalarError("\(name) cannot represent \(shown())\(reason)")
    }
    convert(type, read: read, write: write)
    register(name, type)
  }

  mutating func register(_ name: String, _ type: any Sendable.Type) {
    if !registered.contains(where: { $0.name == name && $0.type == type }) { registered.append((name, type)) }
  }

  /// Adds a Swift type of a built-in scalar.
  mutating func represent<Value: Sendable>(
    _ type: Value.Type,
    as name: String,
    isText: Bool,
    read: @escaping @Sendable (InputValue) throws -> Value?,
    write: @escaping @Sendable (Value) -> LeafValue
  ) {
    convert(type, read: read, write: write)
    represented.removeAll { $0.name == name && $0.type == type }
    represented.append((name, type, isText))
  }

  private mutating func convert<Value: Sendable>(
    _ type: Value.Type,
    read: @escaping @Sendable (InputValue) throws -> Value?,
    write: @escaping @Sendable (Value) -> LeafValue
  ) {
    byType[ObjectIdentifier(type)] = Conversion(
      read: { try read($0) },
      write: { value in (value as? Value).map(write) }
    )
  }

  /// The conversion of strings; other values represent none.
  static func reading<Value>(
    _ read: @escaping @Sendable (String) throws -> Value?
  ) -> @Sendable (InputValue) throws -> Value? {
    { value in if case .string(let text) = value { try read(text) } else { nil } }
  }

  /// The conversion of any value that JSON can represent, except for null.
  static func reading<Value>(
    _ read: @escaping @Sendable (GraphQLValue) throws -> Value?
  ) -> @Sendable (InputValue) throws -> Value? {
    { value in
      switch value {
      case .null, .upload: nil
      default: try GraphQLValue(value).flatMap(read)
      }
    }
  }
}
