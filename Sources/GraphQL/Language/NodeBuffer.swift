/// The nodes of a document while it is parsed.
///
/// Why not the array itself: parsing writes each node's fields as it learns of them, and every such write through an
/// array asks whether the array is shared. That was half of the parser's instructions.
struct NodeBuffer: ~Copyable {
  /// Owned by this value alone, with room for `capacity` nodes, of which the first `count` are initialized. It does not
  /// leave this file.
  private var base: UnsafeMutablePointer<Node>
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int) {
    self.capacity = max(capacity, 1)
    base = .allocate(capacity: self.capacity)
  }

  // Nodes are plain bytes, so there is nothing to deinitialize.
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

  /// A node that was appended: the index is below `count`, as every index that `append` led to is, since nodes are
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

  /// Puts a node before those from `index` on, which must be a subtree or several that are closed.
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
