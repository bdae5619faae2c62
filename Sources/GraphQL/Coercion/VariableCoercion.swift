import JSON

/// Coerces the variables of a request to the types that its operation declares (specification, section 6.1.2,
/// `CoerceVariableValues`), directly from the request's JSON. The messages are those of graphql-js.
///
/// Coercion stops at the first error beyond `limits.errors`, and does not start if there are more than `limits.values`
/// values.
package struct VariableCoercion {
  let schema: Schema
  let given: GivenVariables
  var errors: VariableErrors
  /// The path from a variable to the current value.
  var path: [VariableErrors.Step] = []
  /// A stack of the members provided for the fields of input objects, with those of inner objects on top.
  var members: [JSONValue?] = []

  /// - Parameter suggests: Whether errors may contain suggestions ("Did you mean …?"), which disclose parts of the
  ///   schema like introspection does.
  package static func coerce(
    _ given: GivenVariables,
    to definitions: [VariableDefinition],
    in schema: Schema,
    suggests: Bool = false,
    limits: VariableLimits = VariableLimits()
  ) throws(GraphQLErrors) -> VariableValues {
    guard !definitions.isEmpty else { return .none }
    let (found, repeated) = given.values(of: definitions)
    if let repeated { throw GraphQLErrors([.givenTwice(repeated)]) }
    let count = found.reduce(0) { $0 + ($1?.nodeCount ?? 0) }
    guard count <= limits.values else { throw GraphQLErrors([.tooManyValues(count, limits: limits)]) }
    var coercion = VariableCoercion(
      schema: schema,
      given: given,
      errors: VariableErrors(of: given, suggests: suggests, limit: limits.errors)
    )
    let values = zip(definitions, found).map { coercion.value(of: $0, given: $1) }
    try coercion.errors.check()
    return VariableValues(names: definitions.map(\.name), values: values)
  }

  private init(schema: Schema, given: GivenVariables, errors: VariableErrors) {
    self.schema = schema
    self.given = given
    self.errors = errors
  }

  private mutating func value(of definition: VariableDefinition, given value: JSONValue?) -> InputValue? {
    guard !errors.isStopped else { return nil }
    guard let value else {
      if let value = definition.defaultValue { return value }
      if definition.type.isNonNull {
        errors.report(
          "Variable \"$\(definition.name)\" of required type \"\(schema.name(of: definition.type))\" was not provided.",
          definition: definition
        )
      }
      return nil
    }
    if definition.type.isNonNull && isNull(value) {
      errors.report(
        "Variable \"$\(definition.name)\" of non-null type \"\(schema.name(of: definition.type))\" must not be null.",
        definition: definition
      )
      return nil
    }
    path.append(.variable(definition))
    defer { path.removeLast() }
    return coerce(value, to: definition.type)
  }

  func isNull(_ value: JSONValue) -> Bool { value.isNull && given.file(at: value) == nil }

  mutating func coerce(_ value: JSONValue, to type: TypeReference) -> InputValue? {
    if type.isNonNull {
      guard !isNull(value) else {
        report(value, reason: "Expected non-nullable type \"\(schema.name(of: type))\" not to be null.")
        return nil
      }
      return coerce(value, to: type.nullable)
    }
    if isNull(value) { return .null }
    if type.isList {
      guard let elements = value.elements else { return coerce(value, to: type.item).map { .list([$0]) } }
      return list(elements, of: type.item)
    }
    // Indexes the array instead of copying the type, which would retain each of its many properties.
    switch schema.types[type.type.index].kind {
    case .inputObject: return inputObject(value, type: type.type.index)
    case .enum: return enumeration(value, type: schema.types[type.type.index])
    default: return scalar(value, type: type.type)
    }
  }

  private mutating func list(_ elements: JSONElements, of type: TypeReference) -> InputValue? {
    var coerced: [InputValue] = []
    for (index, element) in elements.enumerated() {
      path.append(.item(index))
      if let item = coerce(element, to: type) { coerced.append(item) }
      path.removeLast()
      if errors.isStopped { return nil }
    }
    return .list(coerced)
  }

  private mutating func scalar(_ value: JSONValue, type: TypeID) -> InputValue? {
    let untyped: InputValue
    switch value.kind {
    case .array, .object:
      do {
        untyped = try tree(value)
      } catch {
        errors.stop(with: error)
        return nil
      }
    case .null: untyped = given.file(at: value).map { .upload($0) } ?? .null
    default: untyped = InputValue(leaf: value)
    }
    do {
      return try (schema.scalars[type] ?? .any).coerce(untyped, false) { untyped.shown }
    } catch {
      report(value, reason: error.message)
      return nil
    }
  }

  /// A list or an object as the value of a custom scalar. The JSON reader bounds its depth.
  private func tree(_ value: JSONValue) throws(GraphQLError) -> InputValue {
    if let elements = value.elements {
      var items: [InputValue] = []
      for element in elements { items.append(try tree(element)) }
      return .list(items)
    }
    guard let members = value.members else {
      return given.file(at: value).map { .upload($0) } ?? InputValue(leaf: value)
    }
    if let repeated = value.repeatedKey { throw .givenTwice(repeated.string ?? "") }
    var fields: [InputField] = []
    for (key, value) in members { fields.append(InputField(name: key.string ?? "", value: try tree(value))) }
    return .object(fields)
  }

  private mutating func enumeration(_ value: JSONValue, type: TypeDefinition) -> InputValue? {
    guard let name = value.string else {
      let shown = errors.shown(value)
      let suggestion = errors.didYouMean(shown, purpose: "the enum value", among: type.enumValues.map(\.name))
      report(value, reason: "Enum \"\(type.name)\" cannot represent non-string value: \(shown).\(suggestion)")
      return nil
    }
    guard type.enumValueNames.index(of: name) != nil else {
      let suggestion = errors.didYouMean(name, purpose: "the enum value", among: type.enumValues.map(\.name))
      report(value, reason: "Value \(errors.shown(value)) does not exist in \"\(type.name)\" enum.\(suggestion)")
      return nil
    }
    return .enumeration(name)
  }

  /// Reports an error of the value at the current path.
  mutating func report(_ value: JSONValue, reason: String) { errors.report(value, at: path, reason: reason) }
}
