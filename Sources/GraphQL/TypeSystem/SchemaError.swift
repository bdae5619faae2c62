/// Everything that is wrong with a schema.
package struct SchemaError: Error, Sendable, CustomStringConvertible {
  package let errors: [GraphQLError]
  package init(_ errors: [GraphQLError]) { self.errors = errors }

  /// An error a line, each with its places.
  package var description: String {
    errors.map { error in
      let locations = error.locations.map { "\($0.line):\($0.column)" }.joined(separator: ", ")
      return locations.isEmpty ? error.message : "\(locations): \(error.message)"
    }.joined(separator: "\n")
  }
}

extension ErrorCode {
  /// A schema contradicts itself or the specification; sent to nobody, as a server with such a schema does not start.
  package static let schemaInvalid = ErrorCode(rawValue: "SCHEMA_INVALID")
}
