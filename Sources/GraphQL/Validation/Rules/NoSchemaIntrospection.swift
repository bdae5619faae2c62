/// Nothing of the schema is asked for where the caller may not see it. Not a rule of the specification.
enum NoSchemaIntrospection {
  @inline(never)
  static func report(_ field: NodeIndex, in validation: inout Validation) {
    let name = validation.name(field)
    validation.violations.append(
      .noSchemaIntrospection,
      .entering(field),
      at: [validation.nodes[field].start],
      code: .introspectionDisabled
    ) { "GraphQL introspection has been disabled, but the requested query contained the field \"\(name)\"." }
  }
}

extension ErrorCode {
  /// The schema is asked for by a caller who may not see it.
  package static let introspectionDisabled = ErrorCode(rawValue: "INTROSPECTION_DISABLED")
}
