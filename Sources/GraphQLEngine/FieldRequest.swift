import GraphQL

/// What a client asks of a field: the field's arguments, and the context of the client's request.
public struct FieldRequest<Context: Sendable>: Sendable {
  /// The value that was made for the client's request, and that all resolvers of the request share.
  public let context: Context

  /// The arguments of the field.
  public let arguments: FieldArguments

  init(_ context: Context, _ arguments: Arguments, _ scalars: ScalarTypes) {
    self.context = context
    self.arguments = FieldArguments(values: arguments, scalars: scalars)
  }
}

/// The arguments of a field. They are of the types that the schema declares, with its default values filled in.
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

  /// Whether the client gave the argument, be it as `null`, or the schema has a default value for it.
  public func contains(_ name: String) -> Bool { values[name] != nil }
}
