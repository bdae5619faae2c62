/// Coerces the default values of arguments and input fields, once every type is known.
struct DefaultValueCoercion {
  let schema: Schema
  private(set) var errors: [GraphQLError] = []

  init(schema: Schema) { self.schema = schema }

  mutating func coerced(_ type: TypeDefinition) -> TypeDefinition {
    var type = type
    for place in type.fields.indices {
      coerce(&type.fields[place].arguments, of: "\(type.name).\(type.fields[place].name)")
    }
    coerce(&type.inputFields, of: type.name)
    return type
  }

  mutating func coerced(_ directive: DirectiveDefinition) -> DirectiveDefinition {
    var directive = directive
    coerce(&directive.arguments, of: "@\(directive.name)")
    return directive
  }

  private mutating func coerce(_ values: inout [InputValueDefinition], of owner: String) {
    for place in values.indices {
      guard let literal = values[place].defaultLiteral else { continue }
      do {
        let document = try Parser.parseValue(Source(literal))
        values[place].defaultValue = try LiteralCoercion(schema: schema, document: document, variables: nil)
          .coerce(1, to: values[place].type)
      } catch {
        let message = (error as? CoercionError)?.message ?? (error as? GraphQLError)?.message ?? "\(error)"
        errors.append(
          GraphQLError(
            "The default value of \(owner)(\(values[place].name):) is not of its type: \(message)", code: .schemaInvalid
          ))
      }
    }
  }
}
