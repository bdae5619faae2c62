import GraphQL

extension TypeScriptGenerator {
  /// Writes an enum, an input object or a scalar.
  mutating func write(_ definition: TypeDefinition, to writer: inout TypeScriptWriter) {
    let name = Self.typeName(of: definition)
    writer.comment(definition.description)
    switch definition.kind {
    case .scalar:
      writer.line("export type \(name) = \(options.typescriptScalars[definition.name] ?? "never");")
    case .enum:
      let values = definition.enumValues.map { literal($0.name) }
      writer.block("export const \(name) = [", end: "] as const;") { writer in
        for (value, definition) in zip(values, definition.enumValues) {
          writer.comment(definition.description)
          writer.line(value + ",")
        }
      }
      writer.line("export type \(name) = (typeof \(name))[number];")
    default:
      if definition.isOneOf {
        return write(oneOf: definition, named: name, to: &writer)
      } else {
        write(inputObject: definition, named: name, to: &writer)
      }
    }
    writer.line()
  }

  private mutating func write(
    inputObject definition: TypeDefinition,
    named name: String,
    to writer: inout TypeScriptWriter
  ) {
    var fields: [(description: String?, line: String)] = []
    for field in definition.inputFields {
      let line = input(field.name, type: field.type, in: definition, hasDefault: field.defaultLiteral != nil)
      fields.append((field.description, line))
    }
    writer.block("export type \(name) = {", end: "};") { writer in
      for field in fields {
        writer.comment(field.description)
        writer.line(field.line)
      }
    }
  }

  /// Writes a union for a `@oneOf` input object, of which exactly one field is set.
  private mutating func write(oneOf definition: TypeDefinition, named name: String, to writer: inout TypeScriptWriter) {
    let fields = definition.inputFields
    var cases: [String] = []
    for field in fields {
      let type = wrappedNonNull(field.type, named: inputName(of: field.type.type, key: field.name))
      let others = fields.filter { $0.name != field.name }.map { "\($0.name)?: never" }
      cases.append("{ \((["\(field.name): \(type)"] + others).joined(separator: "; ")) }")
    }
    writer.block("export type \(name) =", end: "") { writer in
      for (index, text) in cases.enumerated() {
        writer.comment(fields[index].description)
        writer.line("| \(text)" + (index + 1 == cases.count ? ";" : ""))
      }
    }
  }

  /// A variable or a field of an input object. A nullable one can be null or omitted.
  mutating func input(
    _ key: String,
    type: TypeReference,
    in inputObject: TypeDefinition? = nil,
    hasDefault: Bool
  ) -> String {
    let mark = type.isNonNull && !hasDefault ? "" : "?"
    return "\(key)\(mark): \(wrapped(type, named: inputName(of: type.type, key: key, in: inputObject)));"
  }

  /// The type of an input. An id has the type of its objects if `ownerOfID` finds one.
  private mutating func inputName(of type: TypeID, key: String, in inputObject: TypeDefinition? = nil) -> String {
    let name = name(of: type)
    guard name == "ID", let owner = schema.ownerOfID(key: key, in: inputObject) else { return name }
    return Self.id(of: schema[owner].possibleTypes.map { schema[$0].name })
  }

  /// The type of the ids of some object types.
  static func id(of types: [String]) -> String {
    // The ids of an interface such as `Node` can be those of almost anything.
    (1...4).contains(types.count) ? "ID<\(types.map(literal).joined(separator: " | "))>" : "ID"
  }
}
