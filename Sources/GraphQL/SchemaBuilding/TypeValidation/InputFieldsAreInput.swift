/// An input object has at least one field, and its fields have input types. Required fields are not deprecated. The
/// fields of a `@oneOf` input object are nullable and have no default value (specification, section 3.10).
enum InputFieldsAreInput {
  static func check(_ id: TypeID, in validation: inout TypeValidation) {
    let type = validation.schema[id]
    if type.inputFields.isEmpty {
      validation.report("Input Object type \(type.name) must define one or more fields.", at: .type(type.name))
    }
    for field in type.inputFields {
      let coordinate = SchemaCoordinate.member(type: type.name, name: field.name)
      validation.checkInput(field, called: "input field", at: coordinate)
      guard type.isOneOf else { continue }
      if field.type.isNonNull {
        validation.report("OneOf input field \(coordinate) must be nullable.", at: coordinate)
      }
      if field.defaultLiteral != nil {
        validation.report("OneOf input field \(coordinate) cannot have a default value.", at: coordinate)
      }
    }
  }
}
