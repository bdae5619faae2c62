/// The nodes of a document, during parsing.
///
/// The parser sets the fields of a node one after the other, and each such write to an array would check for
/// uniqueness. That took half of the parser's instructions.
struct NodeBuffer: ~Copyable {
  /// Owned exclusively by this value, with capacity for `capacity` nodes, of which the first `count` are initialized.
  /// The pointer does not escape this file.
  private var base: UnsafeMutablePointer<Node>
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int) {
    self.capacity = max(capacity, 1)
    base = .allocate(capacity: self.capacity)
  }

  // Nodes are trivial, so there is nothing to deinitialize.
  deinit { base.deallocate() }

  @inline(__always)
  mutating func append(_ node: Node) {
    if count == capacity { grow() }
    (base + count).initialize(to: node)
    count &+= 1
  }

  @inline(never)
  private mutating func grow() {
    let grown = UnsafeMutablePointer<Node>.allocate(capacity: capacity * 2)
    grown.moveInitialize(from: base, count: count)
    base.deallocate()
    base = grown
    capacity *= 2
  }

  /// A node. The index must be less than `count`, which holds for every index of an appended node, because nodes are
  /// never removed. Debug builds check it.
  subscript(_ index: NodeIndex) -> Node {
    @inline(__always)
    _read {
      assert(index < count)
      yield base[index]
    }
    @inline(__always)
    _modify {
      assert(index < count)
      yield &base[index]
    }
  }

  /// Inserts a node before the nodes from `index` on, which must be complete subtrees.
  mutating func insert(_ node: Node, at index: NodeIndex) {
    append(node)
    for moved in stride(from: count - 1, to: index, by: -1) {
      base[moved] = base[moved - 1]
      base[moved].subtreeEnd += 1
    }
    base[index] = node
  }

  func array() -> [Node] {
    Array(UnsafeBufferPointer(start: base, count: count))
  }
}
