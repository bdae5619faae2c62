/// A selected field is defined on its parent type (specification, section 5.3.1).
enum FieldsOnCorrectType {
  @inline(never)
  static func report(_ field: NodeIndex, on parent: Int, in validation: inout Validation) {
    guard !validation.violations.isFull else {
      return validation.report(.fieldsOnCorrectType, at: field) { "" }
    }
    let name = validation.name(field)
    let type = validation.schema.types[parent]
    var suggestion = ""
    if validation.options.allowsIntrospection {
      suggestion = Suggestions.didYouMean(
        "to use an inline fragment on",
        suggestions: typesWith(name, among: type, in: validation.schema)
      )
      if suggestion.isEmpty, type.kind != .union {
        suggestion = validation.didYouMean(name, among: type.fields.map(\.name))
      }
    }
    validation.report(.fieldsOnCorrectType, at: field) {
      "Cannot query field \"\(name)\" on type \"\(type.name)\".\(suggestion)"
    }
  }

  /// The possible types of an abstract type that have the field, and interfaces that these implement. The most frequent
  /// come first, and an interface before its implementations.
  private static func typesWith(_ field: String, among type: TypeDefinition, in schema: Schema) -> [String] {
    guard type.isAbstract else { return [] }
    var usages: [TypeID: Int] = [:]
    for object in type.possibleTypes where schema[object].field(field) != nil {
      usages[object] = 1
      for interface in schema[object].interfaces where schema[interface].field(field) != nil {
        usages[interface, default: 0] += 1
      }
    }
    let implements = { (one: TypeID, interface: TypeID) in schema[one].interfaces.contains(interface) }
    return usages.keys.sorted { one, other in
      let (a, b) = (usages[one] ?? 0, usages[other] ?? 0)
      if a != b { return a > b }
      if implements(other, one) { return true }
      if implements(one, other) { return false }
      return Suggestions.naturallyPrecedes(schema[one].name, schema[other].name)
    }.map { schema[$0].name }
  }
}
