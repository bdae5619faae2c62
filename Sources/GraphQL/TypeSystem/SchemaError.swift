/// The errors of an invalid schema.
package struct SchemaError: Error, Sendable, CustomStringConvertible {
  package let errors: [GraphQLError]
  package init(_ errors: [GraphQLError]) { self.errors = errors }

  /// One line for each error, with its locations.
  package var description: String {
    errors.map { error in
      let locations = error.locations.map { "\($0.line):\($0.column)" }.joined(separator: ", ")
      return locations.isEmpty ? error.message : "\(locations): \(error.message)"
    }.joined(separator: "\n")
  }
}

extension ErrorCode {
  /// A schema is invalid. This code is never sent to a client, because a server with an invalid schema does not start.
  package static let schemaInvalid = ErrorCode(rawValue: "SCHEMA_INVALID")
}
