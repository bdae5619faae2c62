/// The fragment definitions of a document by name.
struct Fragments: Sendable {
  private let names: NameTable
  private let nodes: [NodeIndex]

  init(_ document: Document) {
    nodes = Array(document.children(of: 0, .fragmentDefinition))
    names = NameTable(nodes.map { document.name($0) })
  }

  func definition(spreadBy node: NodeIndex, in document: Document) -> NodeIndex? {
    names.index(of: node, in: document).map { nodes[$0] }
  }
}
