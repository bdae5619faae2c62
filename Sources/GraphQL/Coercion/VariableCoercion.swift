import JSON

/// Coerces the variables of a request to the types that its operation declares (specification, section 6.1.2,
/// `CoerceVariableValues`), directly from the request's JSON. The messages are those of graphql-js.
///
/// Coercion stops at the first error beyond `limits.errors`, and does not start if there are more than `limits.values`
/// values.
package struct VariableCoercion {
  private let schema: Schema
  private let given: GivenVariables
  private let suggests: Bool
  /// A long list of invalid values must not produce a response of the same length.
  private let maximumErrors: Int
  private var errors: [GraphQLError] = []
  /// The error for a repeated key in the JSON. It is then the only error reported.
  private var jsonError: GraphQLError?
  /// Whether coercion has stopped, because there are too many errors or the JSON has a repeated key.
  private var isStopped = false
  /// The path from a variable to the current value.
  private var path: [PathStep] = []
  /// A stack of the members provided for the fields of input objects, with those of inner objects on top.
  private var members: [JSONValue?] = []
  /// The value shown in the last error. If an object has several invalid fields, the error of each shows the same
  /// object.
  private var lastShown: (offset: Int, text: String)?

  private enum PathStep {
    case variable(VariableDefinition)
    case field(String)
    case item(Int)
  }

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
      suggests: suggests,
      maximumErrors: limits.errors
    )
    let values = zip(definitions, found).map { coercion.value(of: $0, given: $1) }
    if let jsonError = coercion.jsonError { throw GraphQLErrors([jsonError]) }
    if coercion.isStopped {
      coercion.errors.append(
        GraphQLError(
          "Too many errors processing variables, error limit reached. Execution aborted.",
          code: .errorsOmitted
        )
      )
    }
    guard coercion.errors.isEmpty else { throw GraphQLErrors(coercion.errors) }
    return VariableValues(names: definitions.map(\.name), values: values)
  }

  private init(schema: Schema, given: GivenVariables, suggests: Bool, maximumErrors: Int) {
    self.schema = schema
    self.given = given
    self.suggests = suggests
    self.maximumErrors = maximumErrors
  }

  private mutating func value(of definition: VariableDefinition, given value: JSONValue?) -> InputValue? {
    guard !isStopped else { return nil }
    guard let value else {
      if let value = definition.defaultValue { return value }
      if definition.type.isNonNull {
        report(
          "Variable \"$\(definition.name)\" of required type \"\(schema.name(of: definition.type))\" was not provided.",
          definition: definition
        )
      }
      return nil
    }
    if definition.type.isNonNull && isNull(value) {
      report(
        "Variable \"$\(definition.name)\" of non-null type \"\(schema.name(of: definition.type))\" must not be null.",
        definition: definition
      )
      return nil
    }
    path.append(.variable(definition))
    defer { path.removeLast() }
    return coerce(value, to: definition.type)
  }

  private func isNull(_ value: JSONValue) -> Bool { value.isNull && given.file(at: value) == nil }

  private mutating func coerce(_ value: JSONValue, to type: TypeReference) -> InputValue? {
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
      if isStopped { return nil }
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
        stop(with: error)
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
      let shown = shown(value)
      let suggestion = didYouMean(shown, purpose: "the enum value", among: type.enumValues.map(\.name))
      report(value, reason: "Enum \"\(type.name)\" cannot represent non-string value: \(shown).\(suggestion)")
      return nil
    }
    guard type.enumValueNames.index(of: name) != nil else {
      let suggestion = didYouMean(name, purpose: "the enum value", among: type.enumValues.map(\.name))
      report(value, reason: "Value \(shown(value)) does not exist in \"\(type.name)\" enum.\(suggestion)")
      return nil
    }
    return .enumeration(name)
  }
}

// MARK: - Input objects

extension VariableCoercion {
  private mutating func inputObject(_ value: JSONValue, type: Int) -> InputValue? {
    guard value.kind == .object else {
      report(value, reason: "Expected type \"\(schema.types[type].name)\" to be an object.")
      return nil
    }
    let definitions = schema.types[type].inputFields
    let first = members.count
    defer { members.removeLast(members.count - first) }
    guard let unknownCount = collectMembers(of: value, definitions: definitions, type: type) else { return nil }
    var fields: [InputField] = []
    fields.reserveCapacity(definitions.count)
    for index in definitions.indices {
      let name = definitions[index].name
      guard let member = members[first + index] else {
        if let defaultValue = definitions[index].defaultValue {
          fields.append(InputField(name: name, value: defaultValue))
        } else if definitions[index].type.isNonNull {
          let type = schema.name(of: definitions[index].type)
          report(value, reason: "Field \"\(name)\" of required type \"\(type)\" was not provided.")
        }
        continue
      }
      path.append(.field(name))
      let coerced = coerce(member, to: definitions[index].type)
      path.removeLast()
      if isStopped { return nil }
      if let coerced { fields.append(InputField(name: name, value: coerced)) }
    }
    if unknownCount > 0 { reportUnknown(in: value, schema.types[type]) }
    if schema.types[type].isOneOf { checkOneOf(value, type: schema.types[type], from: first) }
    return .object(fields)
  }

  /// Appends the provided member of each field to `members`, in the order of the definitions. Returns the number of
  /// keys that are not fields, or nil if a key is repeated, which stops coercion.
  private mutating func collectMembers(
    of object: JSONValue,
    definitions: [InputValueDefinition],
    type: Int
  ) -> Int? {
    let first = members.count
    for _ in definitions { members.append(nil) }
    var unknown = 0
    guard object.nodeCount > 1, let given = object.members else { return 0 }
    // Clients usually send fields in the order of the definitions, so the search starts after the last match.
    var next = 0
    for (key, value) in given {
      guard let index = Self.index(of: key, in: definitions, from: next, schema.types[type].inputFieldNames) else {
        unknown += 1
        continue
      }
      guard members[first + index] == nil else {
        stop(with: .givenTwice(definitions[index].name))
        return nil
      }
      members[first + index] = value
      next = index + 1
    }
    return unknown
  }

  private static func index(
    of key: JSONValue,
    in definitions: [InputValueDefinition],
    from next: Int,
    _ names: NameTable
  ) -> Int? {
    if next < definitions.count, key.equals(definitions[next].name) { return next }
    return key.string.flatMap { names.index(of: $0) }
  }

  private mutating func reportUnknown(in value: JSONValue, _ type: TypeDefinition) {
    guard let members = value.members else { return }
    for (key, _) in members {
      guard let name = key.string, type.inputFieldNames.index(of: name) == nil else { continue }
      let suggestion = didYouMean(name, among: type.inputFields.map(\.name))
      let shown = String(name.unicodeScalars.prefix(200))
      report(value, reason: "Field \"\(shown)\" is not defined by type \"\(type.name)\".\(suggestion)")
      if isStopped { return }
    }
  }

  private mutating func checkOneOf(_ value: JSONValue, type: TypeDefinition, from first: Int) {
    let known = type.inputFields.indices.filter { members[first + $0] != nil }
    guard known.count == 1, let member = members[first + known[0]] else {
      return report(value, reason: "Exactly one key must be specified for OneOf type \"\(type.name)\".")
    }
    guard isNull(member) else { return }
    let name = type.inputFields[known[0]].name
    path.append(.field(name))
    report(member, reason: "Field \"\(name)\" must be non-null.")
    path.removeLast()
  }
}

// MARK: - Errors

extension VariableCoercion {
  private func didYouMean(_ name: String, purpose: String = "", among names: @autoclosure () -> [String]) -> String {
    guard suggests && errors.count < maximumErrors else { return "" }
    return Suggestions.didYouMean(purpose, suggestions: Suggestions.list(for: name, among: names()))
  }

  private mutating func shown(_ value: JSONValue) -> String {
    if let lastShown, lastShown.offset == value.offset { return lastShown.text }
    let text = value.shown(in: given)
    lastShown = (value.offset, text)
    return text
  }

  private mutating func report(_ value: JSONValue, reason: String) {
    guard errors.count < maximumErrors, case .variable(let definition)? = path.first else {
      isStopped = true
      return
    }
    var message = "Variable \"$\(definition.name)\" got invalid value \(shown(value))"
    if path.count > 1 {
      message += " at \"\(definition.name)"
      for step in path.dropFirst() {
        switch step {
        case .variable: break
        case .field(let name): message += ".\(name)"
        case .item(let index): message += "[\(index)]"
        }
      }
      message += "\""
    }
    report(message + "; " + reason, definition: definition)
  }

  private mutating func report(_ message: String, definition: VariableDefinition) {
    guard errors.count < maximumErrors else {
      isStopped = true
      return
    }
    var error = GraphQLError(message, at: [definition.location], code: .badUserInput)
    error.inputPath =
      [.key(definition.name)]
      + path.dropFirst().map { step in
        switch step {
        case .variable(let definition): .key(definition.name)
        case .field(let name): .key(name)
        case .item(let index): .index(index)
        }
      }
    errors.append(error)
  }

  private mutating func stop(with error: GraphQLError) {
    jsonError = error
    isStopped = true
  }
}

extension GraphQLError {
  /// The error for a repeated key. It is not specified which of the two values counts.
  fileprivate static func givenTwice(_ name: String) -> GraphQLError {
    let shown = String(name.unicodeScalars.prefix(200))
    return GraphQLError("In the variables, `\(shown)` is given twice.", code: .badRequest)
  }

  fileprivate static func tooManyValues(_ count: Int, limits: VariableLimits) -> GraphQLError {
    GraphQLError(
      "The variables have \(count) values and keys. The limit is \(limits.values).",
      code: .tooManyVariableValues
    )
  }
}

extension ErrorCode {
  /// The request is malformed, independently of its document.
  package static let badRequest = ErrorCode(rawValue: "BAD_REQUEST")
  package static let tooManyVariableValues = ErrorCode(rawValue: "TOO_MANY_VARIABLE_VALUES")
}
