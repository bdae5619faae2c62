/// An enum has at least one value, and the names of its values are not reserved (specification, section 3.9). The
/// parser rejects the names `true`, `false` and `null`.
enum EnumsHaveValues {
  static func check(_ id: TypeID, in validation: inout TypeValidation) {
    let type = validation.schema[id]
    if type.enumValues.isEmpty {
      validation.report("Enum type \(type.name) must define one or more values.", at: .type(type.name))
    }
    for value in type.enumValues {
      validation.checkName(value.name, at: .member(type: type.name, name: value.name))
    }
  }
}
