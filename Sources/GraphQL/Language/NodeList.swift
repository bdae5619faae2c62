/// One or more nodes of a document. There is most often one, which needs no array.
struct NodeList: RandomAccessCollection, Hashable, Sendable {
  private let head: NodeIndex
  private var others: [NodeIndex] = []

  init(_ head: NodeIndex) { self.head = head }

  mutating func append(_ node: NodeIndex) { others.append(node) }

  var startIndex: Int { 0 }
  var endIndex: Int { others.count + 1 }
  subscript(position: Int) -> NodeIndex { position == 0 ? head : others[position - 1] }
}
