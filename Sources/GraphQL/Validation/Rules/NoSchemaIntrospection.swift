/// Nothing of the schema is asked for where the caller may not see it. Not a rule of the specification.
enum NoSchemaIntrospection {
  @inline(never)
  static func report(_ field: NodeIndex, in validation: inout Validation) {
    let name = validation.name(field)
    validation.report(.noSchemaIntrospection, field) {
      "GraphQL introspection has been disabled, but the requested query contained the field \"\(name)\"."
    }
  }
}
