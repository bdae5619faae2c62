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
    document.location(part(of: node, in: document))
  }

  /// The offsets in the source of a field's nodes.
  func starts(in document: Document, of field: NodeList) -> [UInt32] {
    if case .field = self { return document.starts(field) }
    return [document[part(of: field[0], in: document)].start]
  }

  /// A node of the field, or its argument's value.
  private func part(of node: NodeIndex, in document: Document) -> NodeIndex {
    if case .argument(let name) = self,
      let argument = document.children(of: node, .argument).first(where: { document.name($0) == name }),
      let value = document.value(of: argument)
    {
      return value
    }
    return node
  }
}
