/// An object or interface type has at least one field. Its fields have output types, and their arguments have input
/// types (specification, sections 3.6 and 3.7).
enum FieldsAreOutput {
  static func check(_ id: TypeID, in validation: inout TypeValidation) {
    let schema = validation.schema
    let type = schema[id]
    if type.fields.isEmpty {
      validation.report("Type \(type.name) must define one or more fields.", at: .type(type.name))
    }
    for field in type.fields {
      let coordinate = SchemaCoordinate.member(type: type.name, name: field.name)
      validation.checkName(field.name, at: coordinate)
      if !schema[field.type.type].isOutput {
        validation.report(
          "The type of \(coordinate) must be Output Type but got: \(schema.name(of: field.type)).",
          at: coordinate
        )
      }
      for argument in field.arguments {
        validation.checkArgument(argument, at: .argument(type: type.name, field: field.name, name: argument.name))
      }
    }
  }
}
