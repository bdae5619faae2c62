extension TypeValidation {
  /// Checks that the arguments of applied directives have the correct types (specification, section 5.6.1).
  mutating func checkAppliedDirectives(of completed: Schema) {
    check(completed.appliedDirectives, of: completed, at: .schema)
    for directive in completed.directives {
      for argument in directive.arguments {
        let coordinate = SchemaCoordinate.directiveArgument(directive: directive.name, name: argument.name)
        check(argument.directives, of: completed, at: .element(coordinate))
      }
    }
    for type in completed.types {
      check(type.directives, of: completed, at: .element(.type(type.name)))
      for field in type.fields {
        check(field.directives, of: completed, at: .element(.member(type: type.name, name: field.name)))
        for argument in field.arguments {
          let coordinate = SchemaCoordinate.argument(type: type.name, field: field.name, name: argument.name)
          check(argument.directives, of: completed, at: .element(coordinate))
        }
      }
      for value in type.enumValues {
        check(value.directives, of: completed, at: .element(.member(type: type.name, name: value.name)))
      }
      for field in type.inputFields {
        check(field.directives, of: completed, at: .element(.member(type: type.name, name: field.name)))
      }
    }
  }

  private mutating func check(_ directives: [AppliedDirective], of completed: Schema, at site: DefinitionSite) {
    for directive in directives {
      guard let known = completed.directiveNames.index(of: directive.name) else { continue }
      let definition = completed.directives[known]
      for (name, literal) in directive.arguments {
        guard let argument = definition.argumentNames.index(of: name).map({ definition.arguments[$0] }),
          let message = completed.coercionFailure(of: literal, as: argument.type)
        else { continue }
        let coordinate = SchemaCoordinate.directiveArgument(directive: directive.name, name: name)
        report("Argument \(coordinate) has invalid value \(literal): \(message)", at: [site])
      }
    }
  }
}

extension Schema {
  /// The reason why a literal cannot be coerced to a type, or nil if it can.
  fileprivate func coercionFailure(of literal: String, as type: TypeReference) -> String? {
    // A type that is not an input type is reported elsewhere.
    guard self[type.type].isInput else { return nil }
    do {
      _ = try LiteralCoercion(schema: self, document: try Parser.parseValue(Source(literal)), variables: nil)
        .coerce(1, to: type)
      return nil
    } catch {
      return (error as? CoercionError)?.message ?? (error as? GraphQLError)?.message ?? "\(error)"
    }
  }
}
