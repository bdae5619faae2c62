/// A schema coordinate, which identifies an element of a schema, such as `Child.assignedChores(first:)`
/// (specification, section 3.14).
package enum SchemaCoordinate: Hashable, Sendable {
  case type(String)
  /// A field of an object, interface or input object type, or a value of an enum.
  case member(type: String, name: String)
  case argument(type: String, field: String, name: String)
  case directive(String)
  case directiveArgument(directive: String, name: String)
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
