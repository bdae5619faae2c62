import Bytes
import JSON

/// Coerces the variables of a request to the types that its operation declares (specification, section 6.1.2,
/// `CoerceVariableValues`), directly from the request's JSON. The messages are those of graphql-js.
///
/// Coercion stops at the first error beyond `limits.errors`, and does not start if there are more than `limits.values`
/// values.
package struct VariableCoercion: ~Copyable {
  let schema: Schema
  let given: GivenVariables
  private let definitions: [VariableDefinition]
  var errors: VariableErrors
  /// The index of the variable that is being coerced.
  private var current = 0
  /// The path from the variable to the current value.
  var path = PlainBuffer<PathStep>()
  /// A stack of the members provided for the fields of input objects, with those of inner objects on top.
  var members = PlainBuffer<JSONPosition?>()

  /// A step of the path to a value. Its name is looked up for an error alone: a name would be retained for each value.
  enum PathStep: BitwiseCopyable {
    case field(Int, ofType: Int)
    case item(Int)
  }

  /// - Parameter suggests: Whether errors may contain suggestions ("Did you mean …?"), which disclose parts of the
  ///   schema like introspection does.
  package static func coerce(
    _ given: GivenVariables,
    to variables: VariableDefinitions,
    in schema: Schema,
    suggests: Bool = false,
    limits: VariableLimits = VariableLimits()
  ) throws(GraphQLErrors) -> VariableValues {
    if variables.isEmpty { return .none }
    if let texts = texts(given, for: variables, limits: limits) { return texts }
    var coercion = VariableCoercion(given, to: variables.definitions, in: schema, suggests: suggests, limits: limits)
    return VariableValues(names: variables.names, values: try coercion.coerce(within: limits))
  }

  private init(
    _ given: GivenVariables,
    to definitions: [VariableDefinition],
    in schema: Schema,
    suggests: Bool,
    limits: VariableLimits
  ) {
    self.schema = schema
    self.given = given
    self.definitions = definitions
    errors = VariableErrors(suggests: suggests, limit: limits.errors)
  }

  private mutating func coerce(within limits: VariableLimits) throws(GraphQLErrors) -> [InputValue?] {
    let coerced = withUnsafeTemporaryAllocation(of: JSONPosition?.self, capacity: definitions.count) { found in
      Result { () throws(GraphQLErrors) in try coerce(found, within: limits) }
    }
    return try coerced.get()
  }

  /// - Parameter found: Room for the position of each variable's value.
  private mutating func coerce(
    _ found: UnsafeMutableBufferPointer<JSONPosition?>,
    within limits: VariableLimits
  ) throws(GraphQLErrors) -> [InputValue?] {
    if let repeated = given.find(definitions, into: found) { throw GraphQLErrors([.givenTwice(repeated)]) }
    var count = 0
    if let object = given.object {
      for case let position? in found { count += object.nodeCount(at: position) }
    }
    guard count <= limits.values else { throw GraphQLErrors([.tooManyValues(count, limits: limits)]) }
    var values: [InputValue?] = []
    values.reserveCapacity(definitions.count)
    for index in definitions.indices {
      current = index
      values.append(value(found[index].flatMap { given.object?.value(at: $0) }))
    }
    try errors.check()
    return values
  }

  /// The value of the current variable.
  private mutating func value(_ value: JSONValue?) -> InputValue? {
    guard !errors.isStopped else { return nil }
    let type = definitions[current].type
    guard let value else {
      if let value = definitions[current].defaultValue { return value }
      if type.isNonNull {
        let reason = "of required type \"\(schema.name(of: type))\" was not provided."
        errors.report("Variable \"$\(definitions[current].name)\" \(reason)", definition: definitions[current])
      }
      return nil
    }
    if type.isNonNull && isNull(value) {
      let reason = "of non-null type \"\(schema.name(of: type))\" must not be null."
      errors.report("Variable \"$\(definitions[current].name)\" \(reason)", definition: definitions[current])
      return nil
    }
    return coerce(value, to: type)
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
      return try (schema.scalars[type.index] ?? .any).coerce(untyped, false) {
        value.kind == .number ? value.shownNumber : untyped.shown
      }
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
      let shown = errors.shown(value, in: given)
      let suggestion = errors.didYouMean(shown, purpose: "the enum value", among: type.enumValues.map(\.name))
      report(value, reason: "Enum \"\(type.name)\" cannot represent non-string value: \(shown).\(suggestion)")
      return nil
    }
    guard type.enumValueNames.index(of: name) != nil else {
      let suggestion = errors.didYouMean(name, purpose: "the enum value", among: type.enumValues.map(\.name))
      let shown = errors.shown(value, in: given)
      report(value, reason: "Value \(shown) does not exist in \"\(type.name)\" enum.\(suggestion)")
      return nil
    }
    return .enumeration(name)
  }

  /// Reports an error of the value at the current path.
  mutating func report(_ value: JSONValue, reason: String) {
    var steps: [VariableErrors.Step] = []
    for index in path.indices {
      switch path[index] {
      case .field(let field, let type): steps.append(.field(schema.types[type].inputFields[field].name))
      case .item(let item): steps.append(.item(item))
      }
    }
    errors.report(value, in: given, of: definitions[current], at: steps, reason: reason)
  }
}
