import GraphQL

/// A client's request for a field: the field's arguments, and the context of the request.
public struct FieldRequest<Context: Sendable>: Sendable {
  /// The context value of the client's request, which all resolvers of the request share.
  public let context: Context

  /// The arguments of the field.
  public let arguments: FieldArguments

  init(_ context: ResolverContext<Context>, arguments: Arguments, of field: DeclaredField, scalars: ScalarTypes) {
    self.context = context.value
    let references = InputReferences(scalars: scalars, files: context.files)
    self.arguments = FieldArguments(values: arguments, field: field, references: references)
  }
}

/// A field as the schema declares it. A class, which costs a request one retain.
final class DeclaredField: Sendable {
  /// Such as `Query.book`.
  let coordinate: String
  let argumentNames: [String]

  init(_ coordinate: String, definition: FieldDefinition?) {
    self.coordinate = coordinate
    argumentNames = definition?.arguments.map(\.name) ?? []
  }
}

/// The arguments of a field. They have the types that the schema declares, and include its default values.
public struct FieldArguments: Sendable {
  let values: Arguments
  let field: DeclaredField
  let references: InputReferences

  /// An argument as a Swift value.
  ///
  /// The value's type follows from where it is used. An input object can be any `Decodable` type, a list an array, and
  /// an enum value a `String` or a `Decodable` enum with such a raw value, and a file an `Upload`. Use an optional for
  /// an argument that a client may leave out.
  ///
  /// ```swift
  /// let title: String = try request.arguments["title"]
  /// let limit: Int? = try request.arguments["limit"]
  /// ```
  ///
  /// - Throws: A `GraphQLError` with the code `BAD_USER_INPUT` when the value does not have the type. An error that
  ///   clients do not see when the schema declares no argument with this name.
  public subscript<Value: Decodable>(name: String) -> Value {
    get throws {
      let value = values[name]
      if value == nil, !field.argumentNames.contains(name) { throw UnsuitableValue(undeclared: name, of: field) }
      return try InputDecoder.decode(Value.self, from: value ?? .null, named: name, references)
    }
  }

  /// All arguments as the properties of one Swift value.
  ///
  /// - Throws: A `GraphQLError` with the code `BAD_USER_INPUT` when an argument does not have the property's type.
  public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
    try InputDecoder.decode(type, from: .object(values.fields), named: nil, references)
  }

  /// Whether the argument has a value, including `null`, or a default value in the schema.
  public func contains(_ name: String) -> Bool { values[name] != nil }
}

extension UnsuitableValue {
  fileprivate init(undeclared name: String, of field: DeclaredField) {
    let suggestions = Suggestions.list(for: name, among: field.argumentNames)
    description =
      "The schema declares no argument \"\(name)\" of \(field.coordinate)."
      + Suggestions.didYouMean("", suggestions: suggestions)
  }
}
