/// The part of a field to which the locations of an error refer.
enum FailureOrigin {
  /// All nodes of the field.
  case field
  /// The first node, which provides the arguments.
  case firstNode
  /// The value of an argument of the first node.
  case argument(String)

  /// The location within a node of the field.
  func location(in document: Document, of node: NodeIndex) -> SourceLocation {
    if case .argument(let name) = self,
      let argument = document.children(of: node, .argument).first(where: { document.name($0) == name }),
      let value = document.value(of: argument)
    {
      return document.location(value)
    }
    return document.location(node)
  }
}
