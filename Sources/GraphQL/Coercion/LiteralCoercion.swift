/// The reason why a value cannot be coerced to its type.
package struct CoercionError: Error, Hashable, Sendable {
  package let message: String

  /// The maximum number of scalars of a message. It can show a literal, which can be as long as the document, and each
  /// object of a response can have the error.
  static let maximumLength = 1_000

  package init(_ message: String) { self.message = message.shortened(to: Self.maximumLength) }
}

/// Coerces literals in a document: arguments, input object fields and default values (specification, sections 3.10 and
/// 6.4.1).
package struct LiteralCoercion {
  package let schema: Schema
  package let document: Document
  /// The coerced variables of the operation, or nil if the literal must not contain variables.
  package let variables: VariableValues?

  package init(schema: Schema, document: Document, variables: VariableValues?) {
    self.schema = schema
    self.document = document
    self.variables = variables
  }

  /// The coerced value, or nil if it is a variable that was not provided. The value then counts as absent.
  package func coerce(_ node: NodeIndex, to type: TypeReference) throws(CoercionError) -> InputValue? {
    if document[node].kind == .variable {
      guard let value = variables?[document.name(node)] else { return nil }
      if value.isNull && type.isNonNull { throw nonNull(type) }
      return value
    }
    if type.isNonNull {
      if document[node].kind == .nullValue { throw nonNull(type) }
      return try coerce(node, to: type.nullable)
    }
    if document[node].kind == .nullValue { return .null }
    if type.isList { return try list(node, of: type.item) }
    switch schema.types[type.type.index].kind {
    case .inputObject: return try inputObject(node, type: schema[type.type])
    case .enum: return try enumeration(node, type: schema[type.type])
    default: return try scalar(node, type: type.type)
    }
  }

  private func nonNull(_ type: TypeReference) -> CoercionError {
    CoercionError("Expected value of non-null type \"\(schema.name(of: type))\" not to be null.")
  }

  private func list(_ node: NodeIndex, of item: TypeReference) throws(CoercionError) -> InputValue? {
    guard document[node].kind == .listValue else {
      // A single value is coerced to a list of one item (section 3.11).
      guard let value = try coerce(node, to: item) else { return nil }
      return .list([value])
    }
    var items: [InputValue] = []
    for child in document.children(of: node) {
      guard let value = try coerce(child, to: item) else {
        if item.isNonNull { throw nonNull(item) }
        items.append(.null)
        continue
      }
      items.append(value)
    }
    return .list(items)
  }

  private func inputObject(_ node: NodeIndex, type: TypeDefinition) throws(CoercionError) -> InputValue? {
    guard document[node].kind == .objectValue else {
      throw CoercionError("Expected value of type \"\(type.name)\", found \(Printer.print(node, of: document)).")
    }
    var given: [Int: NodeIndex] = [:]
    for field in document.children(of: node) {
      guard let index = type.inputFieldNames.index(of: field, in: document) else {
        throw CoercionError("Field \"\(document.name(field))\" is not defined by type \"\(type.name)\".")
      }
      given[index] = document.value(of: field)
    }
    var fields: [InputField] = []
    for (index, field) in type.inputFields.enumerated() {
      if let node = given[index], let value = try coerce(node, to: field.type) {
        fields.append(InputField(name: field.name, value: value))
      } else if let value = field.defaultValue {
        fields.append(InputField(name: field.name, value: value))
      } else if field.type.isNonNull {
        throw CoercionError(
          "Field \"\(type.name).\(field.name)\" of required type \"\(schema.name(of: field.type))\" was not provided."
        )
      }
    }
    if type.isOneOf, fields.count != 1 || fields[0].value.isNull {
      throw CoercionError("OneOf Input Object \"\(type.name)\" must specify exactly one key, and it must be non-null.")
    }
    return .object(fields)
  }

  private func enumeration(_ node: NodeIndex, type: TypeDefinition) throws(CoercionError) -> InputValue {
    guard document[node].kind == .enumValue else {
      throw CoercionError(
        "Enum \"\(type.name)\" cannot represent non-enum value: \(Printer.print(node, of: document))."
      )
    }
    guard type.enumValueNames.index(of: node, in: document) != nil else {
      throw CoercionError("Value \"\(document.name(node))\" does not exist in \"\(type.name)\" enum.")
    }
    return .enumeration(document.name(node))
  }

  private func scalar(_ node: NodeIndex, type: TypeID) throws(CoercionError) -> InputValue {
    do {
      return try (schema.scalars[type.index] ?? .any).coerce(document.untypedValue(node, variables: variables), true) {
        Printer.print(node, of: document)
      }
    } catch {
      throw CoercionError(error.message)
    }
  }
}

extension Document {
  /// The value of a literal, without coercion to a type.
  func untypedValue(_ node: NodeIndex, variables: VariableValues?) -> InputValue {
    switch self[node].kind {
    case .intValue:
      let text = text(node)
      return Int64(text).map(InputValue.int) ?? .float(Double(text) ?? .infinity)
    case .floatValue: return .float(Double(text(node)) ?? .infinity)
    case .stringValue: return .string(stringValue(of: node))
    case .booleanValue: return .boolean(self[node].flags.contains(.isTrue))
    case .enumValue: return .enumeration(name(node))
    case .listValue: return .list(children(of: node).map { untypedValue($0, variables: variables) })
    case .objectValue:
      return .object(
        children(of: node).compactMap { field in
          guard let value = value(of: field) else { return nil }
          // A field whose variable was not provided counts as absent.
          if self[value].kind == .variable, variables?[name(value)] == nil { return nil }
          return InputField(name: name(field), value: untypedValue(value, variables: variables))
        }
      )
    case .variable: return variables?[name(node)] ?? .null
    default: return .null
    }
  }
}
