/// Decides whether the fields of every selection set can be merged, in time near to the number of fields met.
///
/// The fields of a set, with those of the fragments it spreads, are grouped by response key. Within a group each field
/// is compared with the first: having the same name and arguments, and having a type of the same shape, are
/// equivalences, so that is enough. Fields of different object types need only have the same shape; they are told apart
/// by parent type. What a group selects is merged into one set and treated alike, each distinct merger once. A group of
/// one needs no more looking into: its own selection set is one of those that are checked.
struct FieldMerging {
  private struct Group {
    let key: NodeIndex
    var last: Int
    var count: Int
    let first: Int
  }
  private struct Member {
    let field: NodeIndex
    var next = -1
  }
  private struct Slot {
    var generation: UInt32 = 0
    var group: Int32 = 0
  }
  /// Selection sets to be merged.
  private struct Merger: Hashable {
    let sets: [NodeIndex]
    /// Whether only the shape matters, since no object has all of their fields.
    let isShapeOnly: Bool
  }

  private var pending: [Merger] = []
  private var known: Set<Merger> = []
  private var groups: [Group] = []
  private var members: [Member] = []
  /// Groups by their key: places in `groups`, told from those of the set before by `generation`.
  private var slots = Array(repeating: Slot(), count: 64)
  private var generation: UInt32 = 0
  /// The set that a fragment was last spread into, by fragment.
  private var spreadInto: [UInt32]
  /// Selection sets that are still to be collected.
  private var unread: [NodeIndex] = []

  /// Two fields that cannot be merged, or nil; nil, too, when the budget is spent.
  static func firstConflict(in validation: inout Validation) -> FieldPair? {
    var merging = FieldMerging(validation.fragments.count)
    for set in validation.overlapping {
      merging.unread.append(set)
      if let conflict = merging.conflict(isShapeOnly: false, in: &validation) { return conflict }
      while let merger = merging.pending.popLast() {
        merging.unread.append(contentsOf: merger.sets)
        if let conflict = merging.conflict(isShapeOnly: merger.isShapeOnly, in: &validation) { return conflict }
      }
      if validation.isBudgetSpent { return nil }
    }
    return nil
  }

  private init(_ fragmentCount: Int) {
    spreadInto = Array(repeating: 0, count: fragmentCount)
    groups.reserveCapacity(32)
    members.reserveCapacity(32)
    unread.reserveCapacity(8)
  }

  /// Looks at the sets in `unread` as one.
  private mutating func conflict(isShapeOnly: Bool, in validation: inout Validation) -> FieldPair? {
    collect(in: &validation)
    for index in groups.indices where groups[index].count > 1 {
      if let conflict = conflict(groups[index], isShapeOnly: isShapeOnly, in: &validation) { return conflict }
    }
    return nil
  }

  // MARK: Collecting

  private mutating func collect(in validation: inout Validation) {
    groups.removeAll(keepingCapacity: true)
    members.removeAll(keepingCapacity: true)
    generation += 1
    while let set = unread.popLast() {
      var selection = set + 1
      let end = Int(validation.nodes[set].subtreeEnd)
      while selection < end {
        guard validation.spend() else {
          unread.removeAll()
          return
        }
        switch validation.nodes[selection].kind {
        case .field: insert(selection, in: &validation)
        case .inlineFragment:
          // Its selection set is its last child.
          var child = selection + 1
          while validation.nodes[child].kind != .selectionSet { child = Int(validation.nodes[child].subtreeEnd) }
          unread.append(child)
        default:
          let fragment = Int(validation.selected[selection].definition)
          if fragment >= 0, spreadInto[fragment] != generation {
            spreadInto[fragment] = generation
            unread.append(validation.fragments[fragment].selectionSet)
          }
        }
        selection = Int(validation.nodes[selection].subtreeEnd)
      }
    }
  }

  private mutating func insert(_ field: NodeIndex, in validation: inout Validation) {
    let key = validation.responseKey(of: field)
    let member = members.count
    members.append(Member(field: field))
    let mask = slots.count - 1
    var slot = Int(validation.nodes[key].nameHash) & mask
    while slots[slot].generation == generation {
      let group = Int(slots[slot].group)
      if validation.isSameName(groups[group].key, key) {
        members[groups[group].last].next = member
        groups[group].last = member
        groups[group].count += 1
        return
      }
      slot = (slot + 1) & mask
    }
    slots[slot] = Slot(generation: generation, group: Int32(groups.count))
    groups.append(Group(key: key, last: member, count: 1, first: member))
    if groups.count * 2 > slots.count { grow(in: &validation) }
  }

  private mutating func grow(in validation: inout Validation) {
    slots = Array(repeating: Slot(), count: slots.count * 2)
    let mask = slots.count - 1
    for (index, group) in groups.enumerated() {
      var slot = Int(validation.nodes[group.key].nameHash) & mask
      while slots[slot].generation == generation { slot = (slot + 1) & mask }
      slots[slot] = Slot(generation: generation, group: Int32(index))
    }
  }

  // MARK: Comparing

  private func fields(of group: Group) -> [NodeIndex] {
    var fields: [NodeIndex] = []
    fields.reserveCapacity(group.count)
    var member = group.first
    while member >= 0 {
      fields.append(members[member].field)
      member = members[member].next
    }
    return fields
  }

  private mutating func conflict(
    _ group: Group,
    isShapeOnly: Bool,
    in validation: inout Validation
  ) -> FieldPair? {
    let fields = fields(of: group)
    if let conflict = shapeConflict(fields, in: &validation) { return conflict }
    if isShapeOnly {
      merge(fields, isShapeOnly: true, in: &validation)
      return nil
    }
    // Fields of abstract types go with those of every object type.
    var objects: [Int32] = []
    for field in fields {
      let parent = validation.selected[field].parent
      guard parent >= 0, validation.index.types[Int(parent)].kind == .object else { continue }
      if objects.last != parent, !objects.contains(parent) { objects.append(parent) }
      guard validation.spend(objects.count) else { return nil }
    }
    guard objects.count > 1 else {
      if let conflict = selectionConflict(fields, in: &validation) { return conflict }
      merge(fields, isShapeOnly: false, in: &validation)
      return nil
    }
    merge(fields, isShapeOnly: true, in: &validation)
    for object in objects {
      guard validation.spend(fields.count) else { return nil }
      let together = fields.filter { field in
        let parent = validation.selected[field].parent
        return parent == object || parent < 0 || validation.index.types[Int(parent)].kind != .object
      }
      if let conflict = selectionConflict(together, in: &validation) { return conflict }
      if together.count > 1 { merge(together, isShapeOnly: false, in: &validation) }
    }
    return nil
  }

  /// SameResponseShape, but for what the fields select.
  private func shapeConflict(_ fields: [NodeIndex], in validation: inout Validation) -> FieldPair? {
    guard let first = fields.first(where: { validation.selected[$0].definition >= 0 }) else { return nil }
    for field in fields where validation.selected[field].definition >= 0 {
      if !validation.isSameShape(first, field) { return FieldPair(first, field) }
    }
    return nil
  }

  /// FieldsInSetCanMerge, but for what the fields select: the same name and arguments.
  private func selectionConflict(_ fields: [NodeIndex], in validation: inout Validation) -> FieldPair? {
    let first = fields[0]
    for field in fields.dropFirst() {
      guard validation.isSameName(first, field), validation.isSameArguments(first, field) else {
        return validation.isBudgetSpent ? nil : FieldPair(first, field)
      }
    }
    return nil
  }

  private mutating func merge(_ fields: [NodeIndex], isShapeOnly: Bool, in validation: inout Validation) {
    var sets: [NodeIndex] = []
    for field in fields {
      if let set = validation.selectionSet(of: field) { sets.append(set) }
    }
    guard sets.count > 1, validation.spend(sets.count) else { return }
    sets.sort()
    let merger = Merger(sets: sets, isShapeOnly: isShapeOnly)
    if known.insert(merger).inserted { pending.append(merger) }
  }
}

struct FieldPair {
  let one: NodeIndex
  let other: NodeIndex

  init(_ one: NodeIndex, _ other: NodeIndex) {
    self.one = one
    self.other = other
  }
}
