/// A `@oneOf` input object has a finite value: not all of its fields lead back to it (specification, section 3.10,
/// `InputObjectCanBeProvidedAFiniteValue`).
enum OneOfInputObjectsAreInhabited {
  static func check(_ validation: inout TypeValidation) {
    let schema = validation.schema
    // Grows until it contains every type with a finite value.
    var finite = Set(schema.types.indices.filter { schema.types[$0].kind != .inputObject })
    var grows = true
    while grows {
      grows = false
      for (index, type) in schema.types.enumerated() where !finite.contains(index) {
        if hasFiniteValue(type, finite: finite) {
          finite.insert(index)
          grows = true
        }
      }
    }
    for (index, type) in schema.types.enumerated() where type.isOneOf && !finite.contains(index) {
      // An input object without fields is reported elsewhere.
      guard !type.inputFields.isEmpty else { continue }
      validation.report(
        "OneOf Input Object \(type.name) must have a field that does not lead back to it, or it has no finite value.",
        at: .type(type.name)
      )
    }
  }

  private static func hasFiniteValue(_ type: TypeDefinition, finite: Set<Int>) -> Bool {
    if type.isOneOf {
      // A list has a finite value, because it can be empty.
      return type.inputFields.contains { $0.type.isList || finite.contains($0.type.type.index) }
    }
    return type.inputFields.allSatisfy {
      !$0.type.isNonNull || $0.type.isList || finite.contains($0.type.type.index)
    }
  }
}
