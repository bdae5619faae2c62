/// The index of a node in its document.
@usableFromInline package typealias NodeIndex = Int

/// A parsed document: its source and its nodes in preorder. `nodes[0]` is the `.document` node.
@usableFromInline package struct Document: Sendable {
  package let source: Source
  @usableFromInline package let nodes: [Node]

  package init(source: Source, nodes: [Node]) {
    self.source = source
    self.nodes = nodes
  }

  @inlinable package subscript(_ index: NodeIndex) -> Node { nodes[index] }

  /// The children of a node, in document order.
  package func children(of index: NodeIndex) -> ChildSequence {
    ChildSequence(nodes: nodes, next: index + 1, end: Int(nodes[index].subtreeEnd))
  }

  /// The children of a node with a kind.
  package func children(of index: NodeIndex, _ kind: NodeKind) -> some Sequence<NodeIndex> {
    children(of: index).lazy.filter { nodes[$0].kind == kind }
  }

  /// The first child of a node with a kind.
  package func firstChild(of index: NodeIndex, _ kind: NodeKind) -> NodeIndex? {
    var child = index + 1
    let end = Int(nodes[index].subtreeEnd)
    while child < end {
      if nodes[child].kind == kind { return child }
      child = Int(nodes[child].subtreeEnd)
    }
    return nil
  }

  /// The description of a definition. A string value that is the first child of a definition is always its description,
  /// because the default value of a variable or an input value follows its type.
  package func description(of index: NodeIndex) -> NodeIndex? {
    let first = index + 1
    guard first < Int(nodes[index].subtreeEnd), nodes[first].kind == .stringValue else { return nil }
    return first
  }

  /// The type of a variable, field or input value definition.
  package func type(of index: NodeIndex) -> NodeIndex? {
    children(of: index).first { nodes[$0].kind.isType }
  }

  /// The value of an argument or object field, or the default value of a variable or input value definition.
  package func value(of index: NodeIndex) -> NodeIndex? {
    switch nodes[index].kind {
    case .variableDefinition, .inputValueDefinition:
      var afterType = false
      for child in children(of: index) {
        if nodes[child].kind.isType {
          afterType = true
        } else if afterType && nodes[child].kind.isValue {
          return child
        }
      }
      return nil
    default:
      return children(of: index).first { nodes[$0].kind.isValue }
    }
  }

  /// The name of a node, or an empty string if it has none.
  package func name(_ index: NodeIndex) -> String {
    let node = nodes[index]
    let start = Int(node.nameStart)
    return String(decoding: source.bytes[start..<(start + Int(node.nameLength))], as: UTF8.self)
  }

  /// The bytes of a node's name.
  func nameBytes(_ index: NodeIndex) -> ArraySlice<UInt8> {
    let start = Int(nodes[index].nameStart)
    return source.bytes[start..<(start + Int(nodes[index].nameLength))]
  }

  @inline(__always)
  func isSameName(_ one: NodeIndex, _ other: NodeIndex) -> Bool {
    let (a, b) = (nodes[one], nodes[other])
    guard a.nameHash == b.nameHash, a.nameLength == b.nameLength else { return false }
    let bytes = source.bytes
    for offset in 0..<Int(a.nameLength) where bytes[Int(a.nameStart) + offset] != bytes[Int(b.nameStart) + offset] {
      return false
    }
    return true
  }

  /// The response key of a field: its alias, or else its name.
  package func responseKey(of field: NodeIndex) -> String { name(responseKeyNode(of: field)) }

  /// The node whose name is the response key of a field: its alias, or else the field itself.
  @inline(__always)
  func responseKeyNode(of field: NodeIndex) -> NodeIndex {
    let first = field &+ 1
    return first < Int(nodes[field].subtreeEnd) && nodes[first].kind == .alias ? first : field
  }

  /// The source text of a node.
  package func text(_ index: NodeIndex) -> String {
    String(decoding: source.bytes[Int(nodes[index].start)..<Int(nodes[index].end)], as: UTF8.self)
  }

  /// The start of a node.
  package func location(_ index: NodeIndex) -> SourceLocation { source.location(at: Int(nodes[index].start)) }

  /// The starts of the nodes of a field, at most a hundred: a document can select a field thousands of times, and each
  /// item of a list can have its error.
  func locations(_ list: NodeList) -> [SourceLocation] {
    if list.count == 1 { return [location(list[0])] }
    let starts = starts(list)
    let found = source.locations(at: starts)
    return starts.compactMap { found[$0] }
  }

  /// The same as offsets in the source.
  func starts(_ list: NodeList) -> [UInt32] { list.prefix(100).map { nodes[$0].start } }
}

/// The children of one node.
@usableFromInline package struct ChildSequence: Sequence, IteratorProtocol {
  @usableFromInline let nodes: [Node]
  @usableFromInline var following: NodeIndex
  @usableFromInline let end: NodeIndex

  init(nodes: [Node], next: NodeIndex, end: NodeIndex) {
    self.nodes = nodes
    following = next
    self.end = end
  }

  @inlinable package mutating func next() -> NodeIndex? {
    guard following < end else { return nil }
    defer { following = Int(nodes[following].subtreeEnd) }
    return following
  }
}
