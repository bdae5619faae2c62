import GraphQL

/// A client's request for a field: the field's arguments, and the context of the request.
public struct FieldRequest<Context: Sendable>: Sendable {
  /// The context value of the client's request, which all resolvers of the request share.
  public let context: Context

  /// The arguments of the field.
  public let arguments: FieldArguments

  init(_ context: Context, arguments: Arguments, scalars: ScalarTypes) {
    self.context = context
    self.arguments = FieldArguments(values: arguments, scalars: scalars)
  }
}

/// The arguments of a field. They have the types that the schema declares, and include its default values.
public struct FieldArguments: Sendable {
  let values: Arguments
  let scalars: ScalarTypes

  /// An argument as a Swift value.
  ///
  /// The value's type follows from where it is used. An input object can be any `Decodable` type, a list an array, and
  /// an enum value a `String` or a `Decodable` enum with such a raw value. Use an optional for an argument that a
  /// client may leave out.
  ///
  /// ```swift
  /// let title: String = try request.arguments["title"]
  /// let limit: Int? = try request.arguments["limit"]
  /// ```
  ///
  /// - Throws: A `GraphQLError` with the code `BAD_USER_INPUT` when the value does not have the type.
  public subscript<Value: Decodable>(name: String) -> Value {
    get throws { try InputDecoder.decode(Value.self, from: values[name] ?? .null, named: name, scalars) }
  }

  /// All arguments as the properties of one Swift value.
  ///
  /// - Throws: A `GraphQLError` with the code `BAD_USER_INPUT` when an argument does not have the property's type.
  public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
    try InputDecoder.decode(type, from: .object(values.fields), named: nil, scalars)
  }

  /// Whether the argument has a value, including `null`, or a default value in the schema.
  public func contains(_ name: String) -> Bool { values[name] != nil }
}
