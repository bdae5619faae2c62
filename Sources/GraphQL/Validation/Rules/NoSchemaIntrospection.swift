/// No introspection fields are selected if introspection is disabled for the client. Not a part of the specification.
enum NoSchemaIntrospection {
  @inline(never)
  static func report(_ field: NodeIndex, in validation: inout Validation) {
    let name = validation.name(field)
    validation.violations.append(
      .noSchemaIntrospection,
      order: .entering(field),
      at: [validation.nodes[field].start],
      code: .introspectionDisabled
    ) { "GraphQL introspection has been disabled, but the requested query contained the field \"\(name)\"." }
  }
}

extension ErrorCode {
  /// Introspection is disabled for this client.
  package static let introspectionDisabled = ErrorCode(rawValue: "INTROSPECTION_DISABLED")
}
