/// Which part of a field the locations of an error name.
enum FailureOrigin {
  /// Every node that asks for it.
  case field
  /// The first of them, whose arguments count.
  case firstNode
  /// The value of an argument of the first.
  case argument(String)

  /// Where that is for a field that one node asks for.
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
