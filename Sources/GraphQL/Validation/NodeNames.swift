/// A set of node names, for finding siblings with the same name. One set is used for a whole validation. It is cleared
/// by incrementing `generation` instead of overwriting its slots.
struct NodeNames {
  private struct Slot {
    var generation: UInt32 = 0
    var node: Int32 = 0
  }
  private var slots: [Slot] = []
  private var generation: UInt32 = 0

  /// Clears the set and reserves space for `count` names.
  mutating func begin(_ count: Int) {
    if slots.count < count * 2 {
      var size = max(64, slots.count)
      while size < count * 2 { size *= 2 }
      slots = Array(repeating: Slot(), count: size)
      generation = 0
    }
    generation += 1
  }

  /// Inserts a node. Returns the node with the same name that is already in the set, if any.
  mutating func insert(_ node: NodeIndex, in validation: borrowing Validation) -> NodeIndex? {
    let slot = slot(of: node, in: validation)
    guard slots[slot].generation != generation else { return Int(slots[slot].node) }
    slots[slot] = Slot(generation: generation, node: Int32(node))
    return nil
  }

  /// Inserts a node, replacing a node with the same name.
  mutating func replace(_ node: NodeIndex, in validation: borrowing Validation) {
    slots[slot(of: node, in: validation)] = Slot(generation: generation, node: Int32(node))
  }

  func find(_ node: NodeIndex, in validation: borrowing Validation) -> NodeIndex? {
    let slot = slots[slot(of: node, in: validation)]
    return slot.generation == generation ? Int(slot.node) : nil
  }

  /// The slot of the node's name, or the free slot for it.
  private func slot(of node: NodeIndex, in validation: borrowing Validation) -> Int {
    let mask = slots.count - 1
    var slot = Int(validation.nodes[node].nameHash) & mask
    while slots[slot].generation == generation, !validation.document.isSameName(Int(slots[slot].node), node) {
      slot = (slot + 1) & mask
    }
    return slot
  }
}

/// A Bloom filter of names with 64 bits, which can usually exclude repeated names at almost no cost. False positives
/// are possible, if two names have the same bit.
struct NameMarks {
  private var marks: UInt64 = 0
  var mayRepeat = false

  @inline(__always)
  mutating func insert(_ hash: UInt32) {
    let mark: UInt64 = 1 &<< UInt64(hash &>> 26)
    if marks & mark != 0 { mayRepeat = true }
    marks |= mark
  }
}

extension Validation {
  /// Whether two of the siblings of one kind from `first` on may have the same name.
  @inline(__always)
  func mayRepeatNames(_ kind: NodeKind, from first: NodeIndex, to end: NodeIndex) -> Bool {
    var marks = NameMarks()
    var at = first
    while at < end, nodes[at].kind == kind {
      marks.insert(nodes[at].nameHash)
      at = Int(nodes[at].subtreeEnd)
    }
    return marks.mayRepeat
  }

  /// The siblings of one kind from `first` on that have the name of an earlier sibling, each with that sibling.
  mutating func repeatedNames(
    _ kind: NodeKind,
    from first: NodeIndex,
    to end: NodeIndex
  ) -> [(first: NodeIndex, repeated: NodeIndex)] {
    var siblings: [NodeIndex] = []
    var at = first
    while at < end, nodes[at].kind == kind {
      siblings.append(at)
      at = Int(nodes[at].subtreeEnd)
    }
    return repeatedNames(siblings)
  }

  mutating func repeatedNames(_ siblings: [NodeIndex]) -> [(first: NodeIndex, repeated: NodeIndex)] {
    var repeated: [(NodeIndex, NodeIndex)] = []
    names.begin(siblings.count)
    for sibling in siblings {
      withNames { names, validation in
        if let known = names.insert(sibling, in: validation) { repeated.append((known, sibling)) }
      }
    }
    return repeated
  }

  /// Calls `body` with the set of names and the validation, which the set needs for looking up names.
  mutating func withNames<Result>(_ body: (inout NodeNames, borrowing Validation) -> Result) -> Result {
    var names = NodeNames()
    swap(&names, &self.names)
    defer { swap(&names, &self.names) }
    return body(&names, self)
  }
}

/// Groups the nodes with the same name, in the order of their first node, for rules that report each name once.
func groups(_ repeated: [(first: NodeIndex, repeated: NodeIndex)]) -> [[NodeIndex]] {
  var groupIndices: [NodeIndex: Int] = [:]
  var groups: [[NodeIndex]] = []
  for (first, repeated) in repeated {
    if let index = groupIndices[first] {
      groups[index].append(repeated)
    } else {
      groupIndices[first] = groups.count
      groups.append([first, repeated])
    }
  }
  return groups.sorted { $0[0] < $1[0] }
}
