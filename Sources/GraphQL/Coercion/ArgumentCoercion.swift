/// The arguments of a field as the document gives them, in the order of their definitions. One reference, which each
/// request retains once.
final class GivenArguments: Sendable {
  struct Argument: Sendable {
    /// The value in the document.
    let value: NodeIndex
    /// The name of the variable, if the value is one.
    let variable: String?
  }

  let definitions: [InputValueDefinition]
  /// Nil for an argument that is not given.
  let arguments: [Argument?]

  init(of field: NodeIndex, definitions: [InputValueDefinition], in document: Document) {
    self.definitions = definitions
    var arguments: [Argument?] = Array(repeating: nil, count: definitions.count)
    for argument in document.children(of: field, .argument) {
      let name = document.name(argument)
      // Indices, because a copy of a definition would retain each of its members.
      guard let index = definitions.indices.first(where: { definitions[$0].name == name }), arguments[index] == nil,
        let value = document.value(of: argument)
      else { continue }
      let variable = document[value].kind == .variable ? document.name(value) : nil
      arguments[index] = Argument(value: value, variable: variable)
    }
    self.arguments = arguments
  }
}

/// What the literals of a request are coerced with. It is made when it is needed, because most arguments are variables.
protocol LiteralContext {
  var literals: LiteralCoercion { get }
}

extension LiteralCoercion: LiteralContext {
  var literals: LiteralCoercion { self }
}

/// Coerces the arguments of a field (specification, section 6.4.1, `CoerceArgumentValues`). The messages are those of
/// graphql-js.
enum ArgumentCoercion {
  /// - Parameters:
  ///   - variables: The coerced variables of the operation; nil if there can be none.
  ///   - context: Coerces literals with the same variables.
  static func coerce(
    _ given: GivenArguments,
    with variables: VariableValues?,
    in context: some LiteralContext
  ) throws(ArgumentError) -> Arguments {
    var values: [InputField] = []
    values.reserveCapacity(given.definitions.count)
    // Indices, because a copy of a definition would retain each of its members.
    for index in given.definitions.indices {
      var value: InputValue?
      if let argument = given.arguments[index] {
        if let name = argument.variable {
          value = variables?[name]
          if let value, value.isNull, given.definitions[index].type.isNonNull {
            throw mustNotBeNull(given.definitions[index], in: context.literals)
          }
        } else {
          value = try self.value(of: given.definitions[index], from: argument.value, in: context.literals)
        }
      }
      if let value = value ?? given.definitions[index].defaultValue {
        values.append(InputField(name: given.definitions[index].name, value: value))
      } else if given.definitions[index].type.isNonNull {
        throw missing(given.definitions[index], variable: given.arguments[index]?.value, in: context.literals)
      }
    }
    return Arguments(values)
  }

  static func coerce(
    _ field: NodeIndex,
    definitions: [InputValueDefinition],
    in literals: LiteralCoercion
  ) throws(ArgumentError) -> Arguments {
    let given = GivenArguments(of: field, definitions: definitions, in: literals.document)
    return try coerce(given, with: literals.variables, in: literals)
  }

  /// The coerced value of an argument that is not a variable.
  private static func value(
    of definition: InputValueDefinition,
    from node: NodeIndex,
    in literals: LiteralCoercion
  ) throws(ArgumentError) -> InputValue? {
    let document = literals.document
    if document[node].kind == .nullValue && definition.type.isNonNull { throw mustNotBeNull(definition, in: literals) }
    do {
      return try literals.coerce(node, to: definition.type)
    } catch {
      let shown = Printer.print(node, of: document).shortened(to: CoercionError.maximumLength)
      throw ArgumentError(
        "Argument \"\(definition.name)\" has invalid value \(shown). \(error.message)",
        origin: .argument(definition.name)
      )
    }
  }

  private static func mustNotBeNull(_ definition: InputValueDefinition, in literals: LiteralCoercion) -> ArgumentError {
    ArgumentError(
      "Argument \"\(definition.name)\" of non-null type \"\(literals.schema.name(of: definition.type))\" must not be null.",
      origin: .argument(definition.name)
    )
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
    let shown = Printer.print(variable, of: literals.document).shortened(to: CoercionError.maximumLength)
    return ArgumentError(
      "Argument \"\(definition.name)\" of required type \"\(type)\" was provided the variable "
        + "\"\(shown)\" which was not provided a runtime value.",
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
