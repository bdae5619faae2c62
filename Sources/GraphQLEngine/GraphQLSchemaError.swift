/// A schema that is invalid, whose fields and resolvers do not match, or that a trusted document does not match.
public struct GraphQLSchemaError: Error, CustomStringConvertible, Sendable {
  /// All errors, one per line.
  public let description: String

  package init(description: String) { self.description = description }
}
