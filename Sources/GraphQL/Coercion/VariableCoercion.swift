/// Coerces the variables of a request to the types that its operation declares (specification, section 6.1.2,
/// `CoerceVariableValues`). Messages as graphql-js gives them.
package struct VariableCoercion {
  private let schema: Schema
  private let suggests: Bool
  /// A hostile list of wrong values must not make an answer of its own size.
  private let maximumErrors: Int
  private var errors: [GraphQLError] = []
  /// Whether more were found than are told.
  private var areCut = false

  /// `given` is what the request's JSON held, without types. `suggests` says whether errors may ask "Did you mean …?",
  /// which tells of the schema what introspection would.
  package static func coerce(
    _ given: InputValue?,
    to definitions: [VariableDefinition],
    in schema: Schema,
    suggests: Bool = false,
    maximumErrors: Int = 50
  ) throws(GraphQLErrors) -> VariableValues {
    guard !definitions.isEmpty else { return .none }
    var coercion = VariableCoercion(schema: schema, suggests: suggests, maximumErrors: maximumErrors)
    var values: [InputValue?] = []
    values.reserveCapacity(definitions.count)
    let given = GivenVariables(given, for: definitions.count)
    for definition in definitions { values.append(coercion.value(of: definition, given: given[definition.name])) }
    if coercion.areCut {
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

  private init(schema: Schema, suggests: Bool, maximumErrors: Int) {
    self.schema = schema
    self.suggests = suggests
    self.maximumErrors = maximumErrors
  }

  private mutating func value(of definition: VariableDefinition, given: InputValue?) -> InputValue? {
    guard let given else {
      if let value = definition.defaultValue { return value }
      if definition.type.isNonNull {
        report(
          "Variable \"$\(definition.name)\" of required type \"\(schema.name(of: definition.type))\" was not provided.",
          definition
        )
      }
      return nil
    }
    if given.isNull && definition.type.isNonNull {
      report(
        "Variable \"$\(definition.name)\" of non-null type \"\(schema.name(of: definition.type))\" must not be null.",
        definition
      )
      return nil
    }
    return coerce(given, to: definition.type, at: .root(definition))
  }

  /// Where in a variable's value a fault lies.
  private indirect enum Place {
    case root(VariableDefinition)
    case field(Place, String)
    case item(Place, Int)

    var definition: VariableDefinition {
      switch self {
      case .root(let definition): definition
      case .field(let outer, _), .item(let outer, _): outer.definition
      }
    }
    var path: String {
      switch self {
      case .root(let definition): definition.name
      case .field(let outer, let name): "\(outer.path).\(name)"
      case .item(let outer, let index): "\(outer.path)[\(index)]"
      }
    }
  }

  private mutating func coerce(_ value: InputValue, to type: TypeReference, at place: Place) -> InputValue? {
    if type.isNonNull {
      guard !value.isNull else {
        refuse(value, "Expected non-nullable type \"\(schema.name(of: type))\" not to be null.", at: place)
        return nil
      }
      return coerce(value, to: type.nullable, at: place)
    }
    if value.isNull { return .null }
    if type.isList {
      guard case .list(let items) = value else {
        return coerce(value, to: type.item, at: place).map { .list([$0]) }
      }
      var coerced: [InputValue] = []
      coerced.reserveCapacity(items.count)
      for (index, item) in items.enumerated() {
        if let item = coerce(item, to: type.item, at: .item(place, index)) { coerced.append(item) }
      }
      return .list(coerced)
    }
    // By its place: a type taken out of the schema whole would have each of its many parts counted.
    switch schema.types[type.type.index].kind {
    case .inputObject: return inputObject(value, type.type.index, at: place)
    case .enum: return enumeration(value, schema.types[type.type.index], at: place)
    default:
      do {
        return try (schema.scalars[type.type] ?? .any).coerce(value, false) { value.shown }
      } catch {
        refuse(value, error.message, at: place)
        return nil
      }
    }
  }

  private mutating func inputObject(_ value: InputValue, _ type: Int, at place: Place) -> InputValue? {
    guard case .object(let given) = value else {
      refuse(value, "Expected type \"\(schema.types[type].name)\" to be an object.", at: place)
      return nil
    }
    let definitions = schema.types[type].inputFields
    var fields: [InputField] = []
    fields.reserveCapacity(definitions.count)
    var knownCount = 0
    for index in definitions.indices {
      let name = definitions[index].name
      guard let fieldValue = value[name] else {
        if let defaultValue = definitions[index].defaultValue {
          fields.append(InputField(name: name, value: defaultValue))
        } else if definitions[index].type.isNonNull {
          let type = schema.name(of: definitions[index].type)
          refuse(value, "Field \"\(name)\" of required type \"\(type)\" was not provided.", at: place)
        }
        continue
      }
      knownCount += 1
      if let coerced = coerce(fieldValue, to: definitions[index].type, at: .field(place, name)) {
        fields.append(InputField(name: name, value: coerced))
      }
    }
    if knownCount != given.count { refuseUnknown(given, schema.types[type], at: place, in: value) }
    if schema.types[type].isOneOf { checkOneOf(value, given, schema.types[type], at: place) }
    return .object(fields)
  }

  private mutating func refuseUnknown(
    _ given: [InputField],
    _ type: TypeDefinition,
    at place: Place,
    in value: InputValue
  ) {
    for field in given where type.inputFieldNames.place(of: field.name) == nil {
      let suggestion = didYouMean("", field.name, among: type.inputFields.map(\.name))
      refuse(value, "Field \"\(field.name)\" is not defined by type \"\(type.name)\".\(suggestion)", at: place)
    }
  }

  private mutating func checkOneOf(
    _ value: InputValue,
    _ given: [InputField],
    _ type: TypeDefinition,
    at place: Place
  ) {
    let known = given.filter { type.inputFieldNames.place(of: $0.name) != nil }
    if known.count != 1 {
      refuse(value, "Exactly one key must be specified for OneOf type \"\(type.name)\".", at: place)
    } else if known[0].value.isNull {
      refuse(known[0].value, "Field \"\(known[0].name)\" must be non-null.", at: .field(place, known[0].name))
    }
  }

  private mutating func enumeration(_ value: InputValue, _ type: TypeDefinition, at place: Place) -> InputValue? {
    guard case .string(let name) = value else {
      let suggestion = didYouMean("the enum value", value.shown, among: type.enumValues.map(\.name))
      refuse(value, "Enum \"\(type.name)\" cannot represent non-string value: \(value.shown).\(suggestion)", at: place)
      return nil
    }
    guard type.enumValueNames.place(of: name) != nil else {
      let suggestion = didYouMean("the enum value", name, among: type.enumValues.map(\.name))
      refuse(value, "Value \"\(name)\" does not exist in \"\(type.name)\" enum.\(suggestion)", at: place)
      return nil
    }
    return .enumeration(name)
  }

  private func didYouMean(_ purpose: String, _ name: String, among names: @autoclosure () -> [String]) -> String {
    guard suggests && errors.count < maximumErrors else { return "" }
    return Suggestions.didYouMean(purpose, Suggestions.list(for: name, among: names()))
  }

  private mutating func refuse(_ value: InputValue, _ reason: String, at place: Place) {
    guard errors.count < maximumErrors else {
      areCut = true
      return
    }
    let definition = place.definition
    var message = "Variable \"$\(definition.name)\" got invalid value \(value.shown)"
    if case .root = place {} else { message += " at \"\(place.path)\"" }
    report(message + "; " + reason, definition)
  }

  private mutating func report(_ message: String, _ definition: VariableDefinition) {
    guard errors.count < maximumErrors else {
      areCut = true
      return
    }
    errors.append(GraphQLError(message, at: [definition.location], code: .badUserInput))
  }
}

/// What a request gives for its variables. A document can declare thousands, and a request give a hundred thousand others:
/// those are found by their hash.
private struct GivenVariables {
  private let value: InputValue?
  private let byName: [String: InputValue]?

  init(_ value: InputValue?, for count: Int) {
    self.value = value
    if count > VariableValues.handful, case .object(let fields) = value {
      byName = Dictionary(fields.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    } else {
      byName = nil
    }
  }

  subscript(_ name: String) -> InputValue? {
    if let byName { byName[name] } else { value?[name] }
  }
}

extension InputValue {
  /// The value as messages show it: short, whatever was sent.
  package var shown: String { shown(depth: 2) }

  private func shown(depth: Int) -> String {
    switch self {
    case .null: return "null"
    case .int(let number): return String(number)
    case .float(let number):
      return number.rounded() == number && abs(number) < 1e21 ? String(format(number)) : "\(number)"
    case .boolean(let truth): return String(truth)
    case .upload: return "a file"
    case .enumeration(let name): return name
    case .string(let text): return text.count <= 200 ? "\"\(text)\"" : "\"\(text.prefix(200))…\""
    case .list(let items):
      if items.isEmpty { return "[]" }
      if depth == 0 { return "[Array]" }
      let shown = items.prefix(10).map { $0.shown(depth: depth - 1) }
      let more = items.count - shown.count
      return "[" + (shown + (more > 0 ? ["... \(more) more item\(more == 1 ? "" : "s")"] : [])).joined(separator: ", ")
        + "]"
    case .object(let fields):
      if fields.isEmpty { return "{}" }
      if depth == 0 { return "[Object]" }
      return "{ " + fields.prefix(20).map { "\($0.name): \($0.value.shown(depth: depth - 1))" }.joined(separator: ", ")
        + " }"
    }
  }

  private func format(_ whole: Double) -> String {
    if let number = Int64(exactly: whole) { return String(number) }
    return "\(whole)"
  }
}
