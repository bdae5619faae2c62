/// Coerces the arguments of a field (specification, section 6.4.1, `CoerceArgumentValues`). The messages are those of
/// graphql-js.
enum ArgumentCoercion {
  static func coerce(
    _ field: NodeIndex,
    definitions: [InputValueDefinition],
    in literals: LiteralCoercion
  ) throws(ArgumentError) -> Arguments {
    let document = literals.document
    var values: [InputField] = []
    for definition in definitions {
      let argument = document.children(of: field, .argument).first { document.name($0) == definition.name }
      if let node = argument.flatMap({ document.value(of: $0) }),
        let value = try value(of: definition, from: node, in: literals)
      {
        values.append(InputField(name: definition.name, value: value))
      } else if let value = definition.defaultValue {
        values.append(InputField(name: definition.name, value: value))
      } else if definition.type.isNonNull {
        throw missing(definition, variable: argument.flatMap { document.value(of: $0) }, in: literals)
      }
    }
    return Arguments(values)
  }

  /// The coerced value, or nil if it is a variable that was not provided.
  private static func value(
    of definition: InputValueDefinition,
    from node: NodeIndex,
    in literals: LiteralCoercion
  ) throws(ArgumentError) -> InputValue? {
    let document = literals.document
    let isNull =
      document[node].kind == .variable
      ? literals.variables?[document.name(node)]?.isNull ?? false : document[node].kind == .nullValue
    if isNull && definition.type.isNonNull {
      throw ArgumentError(
        "Argument \"\(definition.name)\" of non-null type \"\(literals.schema.name(of: definition.type))\" must not be null.",
        origin: .argument(definition.name)
      )
    }
    do {
      return try literals.coerce(node, to: definition.type)
    } catch {
      throw ArgumentError(
        "Argument \"\(definition.name)\" has invalid value \(Printer.print(node, of: document)). \(error.message)",
        origin: .argument(definition.name)
      )
    }
  }

  private static func missing(
    _ definition: InputValueDefinition,
    variable: NodeIndex?,
    in literals: LiteralCoercion
  ) -> ArgumentError {
    let type = literals.schema.name(of: definition.type)
    guard let variable else {
      return ArgumentError(
        "Argument \"\(definition.name)\" of required type \"\(type)\" was not provided.",
        origin: .firstNode
      )
    }
    return ArgumentError(
      "Argument \"\(definition.name)\" of required type \"\(type)\" was provided the variable "
        + "\"\(Printer.print(variable, of: literals.document))\" which was not provided a runtime value.",
      origin: .argument(definition.name)
    )
  }
}

/// The reason why the arguments of a field cannot be coerced.
struct ArgumentError: Error {
  let message: String
  let origin: FailureOrigin

  init(_ message: String, origin: FailureOrigin) {
    self.message = message
    self.origin = origin
  }
}
