/// The calls of a plan, while the plan is made. Selections of the same field with equal arguments share one call.
struct FieldCallDrafts {
  private struct Draft {
    let field: BoundField
    let arguments: ArgumentDraft
    var selected = PositionSet()
  }

  private struct Identity: Hashable {
    /// The index in `SchemaIndex.fields`.
    let field: Int
    /// `ArgumentDraft.identity`.
    let arguments: Int

    func hash(into hasher: inout Hasher) { hasher.combine(field << 32 ^ arguments) }
  }

  private var objects: [Draft] = []
  private var leaves: [Draft] = []
  private var slots = SmallDictionary<Identity, Int>()

  init(capacity: Int) {
    objects.reserveCapacity(capacity)
    leaves.reserveCapacity(capacity)
  }

  /// The slot of a call that returns objects.
  mutating func objectsSlot(of field: BoundField, _ arguments: ArgumentDraft) -> Int {
    let slot = slots.value(of: Identity(field: field.index, arguments: arguments.identity), orInsert: objects.count)
    if slot == objects.count { objects.append(Draft(field: field, arguments: arguments)) }
    return slot
  }

  /// The slot of a call that returns leaves.
  mutating func leafSlot(of field: BoundField, _ arguments: ArgumentDraft) -> Int {
    let slot = slots.value(of: Identity(field: field.index, arguments: arguments.identity), orInsert: leaves.count)
    if slot == leaves.count { leaves.append(Draft(field: field, arguments: arguments)) }
    return slot
  }

  /// Notes that a field is selected of the objects of a call.
  /// - Parameter name: Its position in `BoundField.fieldNames`.
  mutating func select(_ name: Int, in call: Int) {
    objects[call].selected.insert(name, of: objects[call].field.fieldNames.count)
  }

  struct FinishedCalls {
    fileprivate(set) var objects: [FieldCall] = []
    fileprivate(set) var leaves: [FieldCall] = []
    fileprivate(set) var dynamicArgumentCount = 0
  }

  /// Makes the calls. The drafts are then empty: moving them does no reference counting.
  mutating func finish() -> FinishedCalls {
    var finished = FinishedCalls()
    finished.objects = Self.calls(of: &objects, &finished.dynamicArgumentCount)
    finished.leaves = Self.calls(of: &leaves, &finished.dynamicArgumentCount)
    return finished
  }

  private static func calls(of drafts: inout [Draft], _ dynamicArgumentCount: inout Int) -> [FieldCall] {
    var calls: [FieldCall] = []
    calls.reserveCapacity(drafts.count)
    while let draft = drafts.popLast() {
      let arguments: ArgumentPlan
      switch draft.arguments.values {
      case .constant(let constant): arguments = .constant(constant)
      case .dynamic(let given, _):
        arguments = .dynamic(slot: dynamicArgumentCount, given)
        dynamicArgumentCount += 1
      }
      calls.append(FieldCall(draft.field, arguments: arguments, selected: draft.selected))
    }
    calls.reverse()
    return calls
  }
}
