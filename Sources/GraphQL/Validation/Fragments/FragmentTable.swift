/// The fragment definitions of a document, by name. If a name is defined twice, the last definition counts.
struct FragmentTable {
  struct Fragment {
    let node: NodeIndex
    /// The index in the schema of the type condition's type, or `SchemaIndex.none`.
    let type: Int
    let selectionSet: NodeIndex
    /// The index in the document's executable definitions.
    var definition = 0
  }

  private(set) var list: [Fragment] = []
  /// A hash table of indices in `list`, if there are more than a few fragments.
  fileprivate var slots: [Int32] = []
  /// The maximum number of fragments for which a linear search is used.
  private static let few = 8

  /// Whether two fragments have the same name, which `UniqueFragmentNames` rejects.
  var hasRepeatedNames = false

  var isEmpty: Bool { list.isEmpty }
  var count: Int { list.count }
  subscript(_ index: Int) -> Fragment { list[index] }

  mutating func append(_ fragment: Fragment) { list.append(fragment) }

  mutating func setDefinition(_ definition: Int, of fragment: Int) { list[fragment].definition = definition }

  /// Builds the hash table. Must be called after all fragments have been appended.
  mutating func finish(in validation: inout Validation) {
    guard list.count > Self.few else { return }
    var size = 32
    while size < list.count * 2 { size *= 2 }
    slots = Array(repeating: -1, count: size)
    for (index, fragment) in list.enumerated() {
      var slot = Int(validation.nodes[fragment.node].nameHash) & (size - 1)
      while slots[slot] >= 0, !validation.document.isSameName(list[Int(slots[slot])].node, fragment.node) {
        slot = (slot + 1) & (size - 1)
      }
      slots[slot] = Int32(index)
    }
  }
}

extension Validation {
  /// The index of the fragment with the name of a node, or -1.
  func fragment(named node: NodeIndex) -> Int {
    guard !fragments.slots.isEmpty else {
      var candidate = fragments.list.count - 1
      while candidate >= 0, !document.isSameName(fragments.list[candidate].node, node) { candidate -= 1 }
      return candidate
    }
    let mask = fragments.slots.count - 1
    var slot = Int(nodes[node].nameHash) & mask
    while fragments.slots[slot] >= 0 {
      let fragment = Int(fragments.slots[slot])
      if document.isSameName(fragments.list[fragment].node, node) { return fragment }
      slot = (slot + 1) & mask
    }
    return -1
  }
}
