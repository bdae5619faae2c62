/// A set of names that nodes bear, for telling which siblings bear the same. One serves a whole validation: it is
/// emptied by counting on, not by clearing.
struct NodeNames {
  private struct Slot {
    var generation: UInt32 = 0
    var node: Int32 = 0
  }
  private var slots: [Slot] = []
  private var generation: UInt32 = 0

  /// Empties the set and makes room for so many names.
  mutating func begin(_ count: Int) {
    if slots.count < count * 2 {
      var size = max(64, slots.count)
      while size < count * 2 { size *= 2 }
      slots = Array(repeating: Slot(), count: size)
      generation = 0
    }
    generation += 1
  }

  /// Adds a node; gives the one of the same name that was there before, if any.
  mutating func insert(_ node: NodeIndex, in validation: borrowing Validation) -> NodeIndex? {
    let slot = slot(of: node, in: validation)
    guard slots[slot].generation != generation else { return Int(slots[slot].node) }
    slots[slot] = Slot(generation: generation, node: Int32(node))
    return nil
  }

  /// Adds a node in the place of one of the same name.
  mutating func replace(_ node: NodeIndex, in validation: borrowing Validation) {
    slots[slot(of: node, in: validation)] = Slot(generation: generation, node: Int32(node))
  }

  func find(_ node: NodeIndex, in validation: borrowing Validation) -> NodeIndex? {
    let slot = slots[slot(of: node, in: validation)]
    return slot.generation == generation ? Int(slot.node) : nil
  }

  /// Where the node's name is, or would be put.
  private func slot(of node: NodeIndex, in validation: borrowing Validation) -> Int {
    let mask = slots.count - 1
    var slot = Int(validation.nodes[node].nameHash) & mask
    while slots[slot].generation == generation, !validation.isSameName(Int(slots[slot].node), node) {
      slot = (slot + 1) & mask
    }
    return slot
  }
}

/// Names as 64 marks of their hashes: enough to tell most often, and at next to no cost, that none is there twice. Now
/// and then wrong the safe way, where two names share a mark.
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
  /// Whether two of the siblings of one kind from `first` on may bear the same name.
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

  /// The siblings of one kind from `first` on that repeat the name of an earlier one, each with that one.
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

  /// Lends the set of names together with what it looks the names up in.
  mutating func withNames<Result>(_ body: (inout NodeNames, borrowing Validation) -> Result) -> Result {
    var names = NodeNames()
    swap(&names, &self.names)
    defer { swap(&names, &self.names) }
    return body(&names, self)
  }
}

/// Those that share a name as one group, in the order of their first; for rules that report each name once.
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
