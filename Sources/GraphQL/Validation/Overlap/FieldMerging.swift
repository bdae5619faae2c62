/// Decides whether the fields of every selection set can be merged, in nearly linear time in the number of fields
/// visited.
///
/// The fields of a set and of its fragments are grouped by response key. Each field of a group is compared with the
/// first: having the same name and arguments, and having the same response shape, are equivalence relations, so that is
/// sufficient. Fields of different object types, which are distinguished by parent type, need only the same response
/// shape. The selection sets of a group are merged into one set, which is checked in the same way; each distinct merged
/// set is checked once. A group with one field needs no further check, because its selection set is checked itself.
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
  /// Selection sets to merge.
  private struct Merger: Hashable {
    let sets: [NodeIndex]
    /// Whether only the response shape is compared, because no object has all of these fields.
    let isShapeOnly: Bool
  }

  private var pending: [Merger] = []
  private var known: Set<Merger> = []
  private var groups: [Group] = []
  private var members: [Member] = []
  /// A hash table of indices in `groups`. Slots of the current selection set have the current `generation`.
  private var slots = Array(repeating: Slot(), count: 64)
  private var generation: UInt32 = 0
  /// The generation in which a fragment was last spread, indexed by fragment.
  private var spreadInto: [UInt32]
  /// Selection sets that have not been collected yet.
  private var unread: [NodeIndex] = []

  /// Returns two fields that cannot be merged. Returns nil if there are none, or if the budget is spent.
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

  /// Checks the sets in `unread` as one merged set.
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
          if let set = validation.document.firstChild(of: selection, .selectionSet) { unread.append(set) }
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
    let key = validation.document.responseKeyNode(of: field)
    // Names are compared with those of the same length and hash, which are usually equal.
    let length = validation.nodes[key].nameLength + validation.nodes[field].nameLength
    guard length < 64 || validation.spend(Int(length) / 32) else { return }
    let member = members.count
    members.append(Member(field: field))
    let mask = slots.count - 1
    var slot = Int(validation.nodes[key].nameHash) & mask
    while slots[slot].generation == generation {
      let group = Int(slots[slot].group)
      if validation.document.isSameName(groups[group].key, key) {
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
    // Fields of abstract parent types are compared with those of every object type.
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

  /// `SameResponseShape`, without the selection sets of the fields.
  private func shapeConflict(_ fields: [NodeIndex], in validation: inout Validation) -> FieldPair? {
    guard let first = fields.first(where: { validation.selected[$0].definition >= 0 }) else { return nil }
    for field in fields where validation.selected[field].definition >= 0 {
      if !validation.isSameShape(first, field) { return FieldPair(first, field) }
    }
    return nil
  }

  /// `FieldsInSetCanMerge`, without the selection sets of the fields: the same name, arguments and `@stream`.
  private func selectionConflict(_ fields: [NodeIndex], in validation: inout Validation) -> FieldPair? {
    let first = fields[0]
    for field in fields.dropFirst() {
      guard validation.document.isSameName(first, field), validation.isSameArguments(first, field),
        validation.isSameStream(first, field)
      else {
        return validation.isBudgetSpent ? nil : FieldPair(first, field)
      }
    }
    return nil
  }

  private mutating func merge(_ fields: [NodeIndex], isShapeOnly: Bool, in validation: inout Validation) {
    var sets: [NodeIndex] = []
    for field in fields {
      if let set = validation.document.firstChild(of: field, .selectionSet) { sets.append(set) }
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
