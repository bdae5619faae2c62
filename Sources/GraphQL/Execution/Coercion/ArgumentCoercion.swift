/// Coerces the arguments of a field (specification, section 6.4.1, `CoerceArgumentValues`).
enum ArgumentCoercion {
  static func coerce(
    _ field: NodeIndex, _ definitions: [InputValueDefinition], in literals: LiteralCoercion
  ) throws(GraphQLError) -> Arguments {
    let document = literals.document
    var values: [InputField] = []
    for definition in definitions {
      let argument = document.children(of: field, .argument).first { document.name($0) == definition.name }
      let node = argument.flatMap { document.value(of: $0) }
      if let node {
        do {
          if let value = try literals.coerce(node, to: definition.type) {
            values.append(InputField(name: definition.name, value: value))
            continue
          }
        } catch {
          throw GraphQLError(
            "Argument \"\(definition.name)\" has invalid value \(Printer.print(node, of: document)). \(error.message)",
            at: [document.location(node)], code: .badUserInput)
        }
      }
      if let value = definition.defaultValue {
        values.append(InputField(name: definition.name, value: value))
      } else if definition.type.isNonNull {
        let type = literals.schema.name(of: definition.type)
        if let node {
          throw GraphQLError(
            "Argument \"\(definition.name)\" of required type \"\(type)\" was provided the variable "
              + "\"\(Printer.print(node, of: document))\" which was not provided a runtime value.",
            at: [document.location(node)], code: .badUserInput)
        }
        throw GraphQLError(
          "Argument \"\(definition.name)\" of required type \"\(type)\" was not provided.",
          at: [document.location(field)], code: .badUserInput)
      }
    }
    return Arguments(values)
  }
}
