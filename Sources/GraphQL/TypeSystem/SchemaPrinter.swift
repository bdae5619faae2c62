/// Prints a schema in the schema definition language, such that parsing the text creates an equal schema. Descriptions,
/// directives and order are kept, extensions are merged, and built-in definitions are omitted.
package struct SchemaPrinter {
  private let schema: Schema
  private var text = ""

  /// The text of a schema, with a trailing newline.
  package static func print(_ schema: Schema) -> String {
    var printer = SchemaPrinter(schema: schema)
    printer.printSchema()
    return printer.text
  }

  private init(schema: Schema) { self.schema = schema }

  private mutating func printSchema() {
    printSchemaDefinition()
    for directive in schema.directives where !directive.isBuiltIn {
      startDefinition(directive.description)
      text += "directive @\(directive.name)"
      printArguments(directive.arguments, indentation: "")
      if directive.isRepeatable { text += " repeatable" }
      text += " on \(directive.locations.map(\.rawValue).joined(separator: " | "))\n"
    }
    for type in schema.types where !BuiltInDefinitions.types.contains(type.name) { print(type) }
  }

  /// Prints the schema definition, unless it would contain only the defaults (specification, section 3.3.1).
  private mutating func printSchemaDefinition() {
    let isUsual = OperationType.allCases.allSatisfy { schema.rootType($0) == schema.type(named: $0.defaultTypeName) }
    if isUsual && schema.description == nil && schema.appliedDirectives.isEmpty { return }
    startDefinition(schema.description)
    text += "schema"
    printDirectives(schema.appliedDirectives)
    text += " {\n"
    for operation in OperationType.allCases {
      guard let type = schema.rootType(operation) else { continue }
      text += "  \(operation.rawValue): \(schema[type].name)\n"
    }
    text += "}\n"
  }

  private mutating func print(_ type: TypeDefinition) {
    startDefinition(type.description)
    text += "\(keyword(type.kind)) \(type.name)"
    if !type.interfaces.isEmpty {
      text += " implements \(type.interfaces.map { schema[$0].name }.joined(separator: " & "))"
    }
    printDirectives(type.directives)
    if type.kind == .union {
      text += " = \(type.possibleTypes.map { schema[$0].name }.joined(separator: " | "))"
    }
    printMembers(of: type)
    text += "\n"
  }

  private func keyword(_ kind: TypeKind) -> String {
    switch kind {
    case .scalar: "scalar"
    case .object: "type"
    case .interface: "interface"
    case .union: "union"
    case .enum: "enum"
    case .inputObject: "input"
    }
  }

  private mutating func printMembers(of type: TypeDefinition) {
    guard !type.fields.isEmpty || !type.enumValues.isEmpty || !type.inputFields.isEmpty else { return }
    text += " {\n"
    for field in type.fields {
      startMember(field.description, indentation: "  ")
      text += field.name
      printArguments(field.arguments, indentation: "  ")
      text += ": \(schema.name(of: field.type))"
      printDirectives(field.directives)
      text += "\n"
    }
    for value in type.enumValues {
      startMember(value.description, indentation: "  ")
      text += value.name
      printDirectives(value.directives)
      text += "\n"
    }
    for field in type.inputFields {
      startMember(field.description, indentation: "  ")
      printInputValue(field)
      text += "\n"
    }
    text += "}"
  }

  /// Prints the arguments on one line, or, if any argument has a description, each on its own line.
  private mutating func printArguments(_ arguments: [InputValueDefinition], indentation: String) {
    guard !arguments.isEmpty else { return }
    let isMultiline = arguments.contains { $0.description != nil }
    text += isMultiline ? "(\n" : "("
    for (index, argument) in arguments.enumerated() {
      if isMultiline {
        startMember(argument.description, indentation: indentation + "  ")
      } else if index > 0 {
        text += ", "
      }
      printInputValue(argument)
      if isMultiline { text += "\n" }
    }
    text += isMultiline ? "\(indentation))" : ")"
  }

  private mutating func printInputValue(_ value: InputValueDefinition) {
    text += "\(value.name): \(schema.name(of: value.type))"
    if let literal = value.defaultLiteral { text += " = \(literal)" }
    printDirectives(value.directives)
  }

  private mutating func printDirectives(_ directives: [AppliedDirective]) {
    for directive in directives {
      let arguments = directive.arguments.map { "\($0.name): \($0.literal)" }.joined(separator: ", ")
      text += " @\(directive.name)\(arguments.isEmpty ? "" : "(\(arguments))")"
    }
  }

  // MARK: Layout

  /// Prints an empty line between definitions, and the description of the next one.
  private mutating func startDefinition(_ description: String?) {
    if !text.isEmpty { text += "\n" }
    printDescription(description, indentation: "")
  }

  /// Prints an empty line before a member with a description, unless it is the first member.
  private mutating func startMember(_ description: String?, indentation: String) {
    if description != nil, !text.hasSuffix("{\n"), !text.hasSuffix("(\n") { text += "\n" }
    printDescription(description, indentation: indentation)
    text += indentation
  }

  private mutating func printDescription(_ description: String?, indentation: String) {
    guard let description else { return }
    text += Self.literal(description).split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : indentation + $0 }.joined(separator: "\n")
    text += "\n"
  }

  /// A block string if it parses to the same text, otherwise a string on one line.
  private static func literal(_ description: String) -> String {
    let isPlain = description.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0.value != 0x7F }
    let block = BlockString.print(description)
    let content = Substring(block).utf8.dropFirst(3).dropLast(3)
    return isPlain && BlockString.value(of: content) == description ? block : StringValue.print(description)
  }
}
