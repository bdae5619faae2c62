import JSON

@testable import GraphQL
@testable import GraphQLTransport

/// Variables as JSON: an object with a member for each input type of the schema, as `{"AddChildInput": {…}}`, coerced
/// to a list of that type. Accepted values have the type that the schema requires.
enum VariablesTarget {
  /// Returns whether the values are accepted.
  static func check(_ input: [UInt8]) throws -> Bool {
    let schema = try GraphQLTarget.executable.get().schema
    guard let document = try? JSONDocument(input), document.root.members != nil else { return false }
    let given = GivenVariables(document.root)
    let definitions = try definitions.get()
    let values: VariableValues
    do {
      values = try VariableCoercion.coerce(given, to: definitions, in: schema, suggests: true)
    } catch {
      try require(!error.errors.isEmpty, "Variables are rejected without an error.")
      try require(error.errors.count <= VariableLimits().errors + 1, "There are too many errors.")
      for error in error.errors {
        try require(error.message.utf8.count < 200_000, "A message has \(error.message.utf8.count) bytes.")
      }
      return false
    }
    for definition in definitions.definitions {
      guard let value = values[definition.name] else { continue }
      try checkForm(of: value, definition.type, schema, definition.name)
    }
    return true
  }

  private static let definitions = Result {
    let schema = try GraphQLTarget.executable.get().schema
    let definitions = schema.types.enumerated().filter { $1.isInput && !$1.name.hasPrefix("__") }.map { index, type in
      VariableDefinition(
        name: type.name,
        type: TypeReference(type: TypeID(index)).wrappedInNonNull.wrappedInList,
        defaultValue: nil,
        location: SourceLocation(line: 1, column: 1)
      )
    }
    return VariableDefinitions(definitions, in: schema)
  }

  private static func checkForm(
    of value: InputValue,
    _ type: TypeReference,
    _ schema: Schema,
    _ path: String
  ) throws {
    if type.isNonNull {
      try require(!value.isNull, "\(path) is null.")
      return try checkForm(of: value, type.nullable, schema, path)
    }
    if value.isNull { return }
    if type.isList {
      guard case .list(let items) = value else { throw BrokenProperty(description: "\(path) is not a list.") }
      for item in items { try checkForm(of: item, type.item, schema, path + "[]") }
      return
    }
    let named = schema[type.type]
    switch (named.kind, value) {
    case (.enum, .enumeration(let name)):
      try require(named.enumValues.contains { $0.name == name }, "\(path) is \(name), which \(named.name) has not.")
    case (.inputObject, .object(let fields)): try checkFields(fields, named, schema, path)
    case (.scalar, _): try require(isScalar(value, named.name), "\(path) is \(value), which is no \(named.name).")
    default: throw BrokenProperty(description: "\(path) is \(value), which is no \(named.name).")
    }
  }

  private static func checkFields(
    _ fields: [InputField],
    _ type: TypeDefinition,
    _ schema: Schema,
    _ path: String
  ) throws {
    try require(Set(fields.map(\.name)).count == fields.count, "\(path) has a field twice.")
    for field in fields {
      guard let definition = type.inputFields.first(where: { $0.name == field.name }) else {
        throw BrokenProperty(description: "\(path) has a field \(field.name).")
      }
      try checkForm(of: field.value, definition.type, schema, "\(path).\(field.name)")
    }
    for definition in type.inputFields where definition.type.isNonNull {
      try require(fields.contains { $0.name == definition.name }, "\(path) has no \(definition.name).")
    }
    if type.isOneOf { try require(fields.count == 1 && !fields[0].value.isNull, "\(path) is not one of its fields.") }
  }

  private static func isScalar(_ value: InputValue, _ type: String) -> Bool {
    switch (type, value) {
    case ("Int", .int(let number)): Int32(exactly: number) != nil
    case ("Float", .float(let number)): number.isFinite
    case ("Float", .int), ("Boolean", .boolean), ("String", .string), ("ID", .string), ("DateTime", .int): true
    case ("Date", .string(let day)): day.utf8.count == 10
    default: false
    }
  }
}
