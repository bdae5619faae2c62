/// A schema coordinate, which identifies an element of a schema, such as `Child.assignedChores(first:)`
/// (specification, section 3.14).
package enum SchemaCoordinate: Hashable, Sendable {
  case type(String)
  /// A field of an object, interface or input object type, or a value of an enum.
  case member(type: String, name: String)
  case argument(type: String, field: String, name: String)
  case directive(String)
  case directiveArgument(directive: String, name: String)

  /// Parses a coordinate. Fails with `GRAPHQL_PARSE_FAILED`. No characters are ignored in a coordinate, not even
  /// whitespace.
  package static func parse(_ text: String) throws(GraphQLError) -> SchemaCoordinate {
    let source = Source(text, name: "schema coordinate")
    do throws(SyntaxError) {
      return try source.bytes.withUnsafeBufferPointer { (bytes) throws(SyntaxError) in
        var parser = SchemaCoordinateParser(bytes)
        return try parser.schemaCoordinate()
      }
    } catch {
      throw error.graphQLError(in: source)
    }
  }
}

extension SchemaCoordinate: CustomStringConvertible {
  package var description: String {
    switch self {
    case .type(let name): name
    case .member(let type, let name): "\(type).\(name)"
    case .argument(let type, let field, let name): "\(type).\(field)(\(name):)"
    case .directive(let name): "@\(name)"
    case .directiveArgument(let directive, let name): "@\(directive)(\(name):)"
    }
  }
}
