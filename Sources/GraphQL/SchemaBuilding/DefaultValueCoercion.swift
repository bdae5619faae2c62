/// Coerces the default values of arguments and input fields, after all types are known.
///
/// A default value can include the default values of other fields. So they are coerced by rank, each against a schema
/// that contains the default values of lower ranks. Few schemas have more than one rank.
enum DefaultValueCoercion {
  /// Returns the schema with coerced default values, and reports invalid ones to `validation`.
  static func complete(_ schema: Schema, in validation: inout TypeValidation) -> Schema {
    let dependencies = DefaultValueDependencies(schema)
    guard dependencies.cycles.isEmpty else {
      for cycle in dependencies.cycles { report(cycle, of: schema, &validation) }
      return schema
    }
    var completed = schema
    for rank in 0..<((dependencies.ranks.values.max() ?? -1) + 1) {
      var types = completed.types
      for field in dependencies.fields where dependencies.ranks[field] == rank {
        let coordinate = SchemaCoordinate.member(
          type: types[field.type.index].name,
          name: types[field.type.index].inputFields[field.index].name
        )
        coerce(&types[field.type.index].inputFields[field.index], at: coordinate, against: completed, in: &validation)
      }
      completed = completed.replacing(types: types)
    }
    return completeArguments(of: completed, &validation)
  }

  private static func completeArguments(of schema: Schema, _ validation: inout TypeValidation) -> Schema {
    var types = schema.types
    for index in types.indices {
      for field in types[index].fields.indices {
        let (type, name) = (types[index].name, types[index].fields[field].name)
        for argument in types[index].fields[field].arguments.indices {
          let coordinate = SchemaCoordinate.argument(
            type: type,
            field: name,
            name: types[index].fields[field].arguments[argument].name
          )
          coerce(&types[index].fields[field].arguments[argument], at: coordinate, against: schema, in: &validation)
        }
      }
    }
    var directives = schema.directives
    for index in directives.indices {
      for argument in directives[index].arguments.indices {
        let coordinate = SchemaCoordinate.directiveArgument(
          directive: directives[index].name,
          name: directives[index].arguments[argument].name
        )
        coerce(&directives[index].arguments[argument], at: coordinate, against: schema, in: &validation)
      }
    }
    return schema.replacing(types: types, directives: directives)
  }

  private static func coerce(
    _ value: inout InputValueDefinition,
    at coordinate: SchemaCoordinate,
    against schema: Schema,
    in validation: inout TypeValidation
  ) {
    // A type that is not an input type is reported elsewhere.
    guard let literal = value.defaultLiteral, schema[value.type.type].isInput else { return }
    do {
      let document = try Parser.parseValue(Source(literal))
      value.defaultValue = try LiteralCoercion(schema: schema, document: document, variables: nil)
        .coerce(1, to: value.type)
    } catch {
      let message = (error as? CoercionError)?.message ?? (error as? GraphQLError)?.message ?? "\(error)"
      validation.report("\(coordinate) has invalid default value: \(message)", at: coordinate)
    }
  }

  private static func report(
    _ cycle: [DefaultValueDependencies.InputFieldID],
    of schema: Schema,
    _ validation: inout TypeValidation
  ) {
    let coordinates = cycle.map { field in
      SchemaCoordinate.member(
        type: schema[field.type].name,
        name: schema[field.type].inputFields[field.index].name
      )
    }
    let others = coordinates.dropFirst().map(\.description)
    let via = others.isEmpty ? "" : " via the default values of: \(others.joined(separator: ", "))"
    validation.report(
      "Invalid circular reference. The default value of Input Object field \(coordinates[0]) references itself\(via).",
      at: coordinates.map { .element($0) }
    )
  }
}

extension Schema {
  fileprivate func replacing(types: [TypeDefinition], directives: [DirectiveDefinition]? = nil) -> Schema {
    Schema(
      description: description,
      types: types,
      directives: directives ?? self.directives,
      queryType: queryType,
      mutationType: mutationType,
      subscriptionType: subscriptionType,
      scalars: scalars,
      appliedDirectives: appliedDirectives
    )
  }
}
