import GraphQL

extension GraphQLSchema {
  /// Represents a built-in scalar whose values are strings by a further Swift type, in arguments and in what resolvers
  /// return.
  ///
  /// ```swift
  /// schema.represent(UUID.self, as: "ID") { UUID(uuidString: $0) } write: { $0.uuidString }
  /// schema.represent(URL.self, as: "String") { URL(string: $0) } write: { $0.absoluteString }
  /// ```
  ///
  /// The scalar keeps the Swift types that it has, and can have several more. A custom scalar is represented by
  /// `scalar(_:_:read:write:)`.
  ///
  /// - Parameters:
  ///   - type: A Swift type. It represents one scalar. It is `Decodable` so that it can be an argument; `read` is
  ///     called in place of its `init(from:)`.
  ///   - name: `ID` or `String`.
  ///   - read: Returns the value of a client's string. If it returns `nil` or throws, the argument is an error of the
  ///     client with the code `BAD_USER_INPUT`, which contains the message of a `GraphQLError`.
  ///   - write: Returns the string of a value.
  public mutating func represent<Value: Decodable & Sendable>(
    _ type: Value.Type,
    as name: String,
    read: @escaping @Sendable (String) throws -> Value?,
    write: @escaping @Sendable (Value) -> String
  ) {
    let reading = ScalarTypes.reading(read)
    scalars.represent(type, as: name, isText: true, read: reading, write: { .string(write($0)) })
  }

  /// Represents a built-in scalar by a further Swift type, in arguments and in what resolvers return.
  ///
  /// ```swift
  /// schema.represent(Decimal.self, as: "Float") { value in
  ///   if case .double(let number) = value { Decimal(number) } else { nil }
  /// } writeValue: { .double(Double(truncating: $0 as NSNumber)) }
  /// ```
  ///
  /// - Parameters:
  ///   - type: A Swift type. It represents one scalar. It is `Decodable` so that it can be an argument; `readValue` is
  ///     called in place of its `init(from:)`.
  ///   - name: The name of a built-in scalar.
  ///   - readValue: Returns the value of an argument, which is a `.double` for `Float`, an `.int` for `Int`, a
  ///     `.boolean` for `Boolean`, and a `.string` for `ID` and `String`. If it returns `nil` or throws, the argument
  ///     is an error of the client with the code `BAD_USER_INPUT`, which contains the message of a `GraphQLError`.
  ///   - writeValue: Returns what a client receives for a value.
  public mutating func represent<Value: Decodable & Sendable>(
    _ type: Value.Type,
    as name: String,
    readValue: @escaping @Sendable (GraphQLValue) throws -> Value?,
    writeValue: @escaping @Sendable (Value) -> GraphQLValue
  ) {
    let reading = ScalarTypes.reading(readValue)
    scalars.represent(type, as: name, isText: false, read: reading, write: { writeValue($0).leafValue })
  }
}

extension ScalarTypes {
  /// Swift types that cannot represent their built-in scalars.
  var representationFaults: [String] {
    represented.compactMap { name, type, isText in
      if !BuiltInDefinitions.scalars.contains(name) {
        return "\(type) represents \(name), which is not a built-in scalar: use `scalar`."
      }
      if isText, name != "ID", name != "String" {
        return "\(type) represents \(name), whose values are not strings: use represent(_:as:readValue:writeValue:)."
      }
      guard type is any LeafConvertible.Type else { return nil }
      return "\(type) represents \(name), but is a Swift type of built-in scalars already: use a type of your own."
    }
  }
}
