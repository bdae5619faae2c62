import GraphQL

/// A client's request for a field: the field's arguments, and the context of the request.
public struct FieldRequest<Context: Sendable>: Sendable {
  /// The context value of the client's request, which all resolvers of the request share.
  public let context: Context

  /// The arguments of the field.
  public let arguments: FieldArguments

  private let selection: SelectedFields?

  init(
    _ context: ResolverContext<Context>,
    arguments: Arguments,
    of field: DeclaredField,
    scalars: ScalarTypes,
    selection: SelectedFields?
  ) {
    self.context = context.value
    self.selection = selection
    // Only what arguments are decoded with, which takes one retain instead of three.
    let references = InputReferences(scalars: scalars.byType, files: context.files)
    self.arguments = FieldArguments(values: arguments, field: field, references: references)
  }

  /// Whether the client requests a field of the objects that this field returns, for resolvers that can leave out work.
  ///
  /// ```swift
  /// let count = request.selects("totalCount") ? try await request.context.database.count() : nil
  /// ```
  ///
  /// A field can be requested by several parts of a document, with the same arguments. The result is true if one of
  /// them, or a fragment of one of the object types, requests the field. It is false for a field that returns no
  /// objects, and true for every name in the resolver of a subscription, whose sequence is the same for all fields.
  public func selects(_ name: String) -> Bool { selection?.selects(name) ?? arguments.field.isComposite }
}

/// A field as the schema declares it. A class, which costs a request one retain.
final class DeclaredField: Sendable {
  /// Such as `Query.book`.
  let coordinate: String
  let arguments: [InputValueDefinition]
  /// Whether the field returns objects.
  let isComposite: Bool
  /// The arguments that state the size of a list, by `@listSize`; nil for a field without, which then needs no retain.
  private let slicingArguments: [String]?
  private let schema: Schema

  init(_ coordinate: String, definition: FieldDefinition?, in schema: Schema) {
    self.coordinate = coordinate
    self.schema = schema
    arguments = definition?.arguments ?? []
    isComposite = definition.map { schema[$0.type.type].isComposite } ?? false
    let sizes = definition?.directives.first { $0.name == "listSize" }?.strings("slicingArguments") ?? []
    slicingArguments = sizes.isEmpty ? nil : sizes
  }

  /// Rejects negative sizes: a resolver that calls `prefix(-1)` would end the process.
  func checkSizes(in arguments: Arguments) throws(GraphQLError) {
    guard let slicingArguments else { return }
    for name in slicingArguments {
      guard let size = arguments[name]?.int, size < 0 else { continue }
      throw GraphQLError("`\(name)` is \(size), but must not be negative.", code: ErrorCode.badUserInput.rawValue)
    }
  }

  /// The argument's type at a path in the arguments; that of the scalar for a path into the value of one.
  private func type(at path: some Collection<any CodingKey>) -> TypeReference? {
    guard var type = path.first.flatMap({ name in arguments.first { $0.name == name.stringValue } })?.type else {
      return nil
    }
    for key in path.dropFirst() {
      if type.isList {
        type = type.item
      } else if let field = schema[type.type].inputFieldNames.index(of: key.stringValue) {
        type = schema[type.type].inputFields[field].type
      } else {
        return type
      }
    }
    return type
  }

  /// Whether a path in the arguments leads to a custom scalar or into one, whose values the schema does not describe.
  func isOpen(at path: some Collection<any CodingKey>) -> Bool { type(at: path).map(isCustomScalar) ?? false }

  /// Whether a path in the arguments leads to an enum, all of whose values the schema states.
  func isEnum(at path: some Collection<any CodingKey>) -> Bool {
    type(at: path).map { !$0.isList && schema[$0.type].kind == .enum } ?? false
  }

  private func isCustomScalar(_ type: TypeReference) -> Bool {
    let named = schema[type.type]
    return !type.isList && named.kind == .scalar && !BuiltInDefinitions.scalars.contains(named.name)
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
  /// an enum value a `String` or a `Decodable` enum with such a raw value, a file an `Upload`, and a custom scalar a
  /// `GraphQLValue`. Use an optional for an argument that a client may leave out, or a `GraphQLNullable` to tell that
  /// from `null`.
  ///
  /// An input object with `@oneOf` can be an enum with a case for each field:
  ///
  /// ```swift
  /// enum BookBy: Decodable { case id(Int), title(String) }
  /// ```
  ///
  /// ```swift
  /// let title: String = try request.arguments["title"]
  /// let limit: Int? = try request.arguments["limit"]
  /// ```
  ///
  /// - Throws: A `GraphQLError` with the code `BAD_USER_INPUT` when the type cannot represent the value, such as a
  ///   number beyond its range. An error that clients do not see when the schema declares no argument with this name,
  ///   or allows values of another type, such as `null` for a type that is not optional.
  public subscript<Value: Decodable>(name: String) -> Value {
    get throws {
      let value = values[name]
      if value == nil {
        guard field.arguments.contains(where: { $0.name == name }) else {
          throw UnsuitableValue(undeclared: name, of: field)
        }
        if let absent = (Value.self as? any AbsenceRepresentable.Type)?.absent as? Value { return absent }
      }
      return try InputDecoder.decode(Value.self, from: value ?? .null, named: name, of: field, references)
    }
  }

  /// Without a type that follows from its use, the compiler would not say what is missing.
  @_disfavoredOverload
  @available(*, unavailable, message: "State its type, as in: let id: Int = try request.arguments[\"id\"]")
  public subscript(name: String) -> Never? { get throws { nil } }

  /// All arguments as the properties of one Swift value.
  ///
  /// - Throws: A `GraphQLError` with the code `BAD_USER_INPUT` when a property's type cannot represent the argument. An
  ///   error that clients do not see when the schema allows values of another type than the property's.
  public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
    try InputDecoder.decode(type, from: .object(values.fields), named: nil, of: field, references)
  }

  /// Whether the argument has a value, including `null`, or a default value in the schema.
  public func contains(_ name: String) -> Bool { values[name] != nil }
}

extension UnsuitableValue {
  fileprivate init(undeclared name: String, of field: DeclaredField) {
    let suggestions = Suggestions.list(for: name, among: field.arguments.map(\.name))
    description =
      "The schema declares no argument \"\(name)\" of \(field.coordinate)."
      + Suggestions.didYouMean("", suggestions: suggestions)
  }
}
