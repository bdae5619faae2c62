/// A union has at least one member, and its members are distinct object types (specification, section 3.8).
enum UnionMembersAreObjects {
  static func check(_ id: TypeID, in validation: inout TypeValidation) {
    let schema = validation.schema
    let union = schema[id]
    if union.possibleTypes.isEmpty {
      validation.report("Union type \(union.name) must define one or more member types.", at: .type(union.name))
    }
    var included: Set<TypeID> = []
    for member in union.possibleTypes {
      if !included.insert(member).inserted {
        validation.report(
          "Union type \(union.name) can only include type \(schema[member].name) once.",
          at: .type(union.name)
        )
      } else if schema[member].kind != .object {
        validation.report(
          "Union type \(union.name) can only include Object types, it cannot include \(schema[member].name).",
          at: .type(union.name)
        )
      }
    }
  }
}
