import GraphQL

extension SwiftGenerator {
  mutating func write(enum definition: TypeDefinition, to writer: inout SwiftWriter) {
    let name = typeName(of: definition)
    let values = definition.enumValues.map { ($0, property: SwiftName.enumCase($0.name)) }
    for (property, same) in Dictionary(grouping: values, by: \.property) where same.count > 1 {
      faults.append("Values of \(definition.name) would have the same name in Swift: `\(property)`.")
    }
    writer.comment(definition.description)
    writer.block("\(access)nonisolated enum \(name): GraphQLEnum") { writer in
      for (value, property) in values {
        writer.comment(value.description)
        writer.line("case \(SwiftName.escaped(property))")
      }
      writer.comment("A value that was added to the schema after this client was generated.")
      writer.line("case unknown(String)")
      writer.line()
      writer.line(
        "\(access)static let allCases: [\(name)] = [\(values.map { "." + $0.property }.joined(separator: ", "))]"
      )
      writer.line()
      writer.block("\(access)init(rawValue: String)") { writer in
        writer.block("switch rawValue") { writer in
          for (value, property) in values { writer.line("case \(literal(value.name)): self = .\(property)") }
          writer.line("default: self = .unknown(rawValue)")
        }
      }
      writer.line()
      writer.block("\(access)var rawValue: String") { writer in
        writer.block("switch self") { writer in
          for (value, property) in values { writer.line("case .\(property): \(literal(value.name))") }
          writer.line("case .unknown(let value): value")
        }
      }
    }
  }

  mutating func write(inputObject definition: TypeDefinition, to writer: inout SwiftWriter) {
    var fields: [(field: InputValueDefinition, property: String, type: String, absence: String?)] = []
    for field in definition.inputFields {
      let (type, absence) = inputType(
        field.type,
        key: field.name,
        in: definition,
        hasDefault: field.defaultLiteral != nil
      )
      fields.append((field, SwiftName.property(field.name), type, absence))
    }
    writer.comment(definition.description)
    writer.block("\(access)nonisolated struct \(typeName(of: definition)): GraphQLInputObject") { writer in
      for field in fields {
        writer.comment(field.field.description)
        writer.line("\(access)var \(SwiftName.escaped(field.property)): \(field.type)")
      }
      writer.line()
      writer.arguments(
        of: "\(access)init",
        fields.map { argument(named: $0.property, type: $0.type, default: $0.absence) }
      ) { writer in
        for field in fields { writer.line("self.\(field.property) = \(SwiftName.escaped(field.property))") }
      }
      writer.line()
      writer.block("\(access)var fields: [GraphQLInputField]") { writer in
        writer.line("[")
        for field in fields {
          writer.line("  GraphQLInputField(\(literal(field.field.name)), \(SwiftName.escaped(field.property))),")
        }
        writer.line("]")
      }
    }
  }

  /// Generates an enum for a `@oneOf` input object, of which exactly one field is set.
  mutating func write(oneOf definition: TypeDefinition, to writer: inout SwiftWriter) {
    var cases: [(field: InputValueDefinition, property: String, type: String)] = []
    for field in definition.inputFields {
      cases.append(
        (
          field, SwiftName.property(field.name),
          wrappedNonNull(field.type, named: inputName(of: field.type.type, key: field.name))
        )
      )
    }
    writer.comment(definition.description)
    let name = typeName(of: definition)
    writer.block("\(access)nonisolated indirect enum \(name): GraphQLInputObject") { writer in
      for each in cases {
        writer.comment(each.field.description)
        writer.line("case \(SwiftName.escaped(each.property))(\(each.type))")
      }
      writer.line()
      writer.block("\(access)var fields: [GraphQLInputField]") { writer in
        writer.block("switch self") { writer in
          for each in cases {
            writer.line("case .\(each.property)(let value): [GraphQLInputField(\(literal(each.field.name)), value)]")
          }
        }
      }
    }
  }
}
