/// What is still to be done at the level where an execution stands: first the leaves of its sets, then the calls that
/// lead to the next.
///
/// Most plans never wait, and are walked through at once. One that waits is left here, and gone on with when its calls
/// have been made: so both ways are one.
struct LevelWalk {
  typealias Leaf = (slot: Int, set: Int)
  typealias Call = (field: CompositeField, set: Int)

  private let leaves: [Leaf]
  let calls: [Call]
  private var nextLeaf = 0
  private(set) var nextCall = 0
  /// The calls of the level that wait. They are made after all others.
  private var postponed: [WaitingCall] = []

  init(_ sets: [Int], of plan: OperationPlan) {
    var leaves: [Leaf] = []
    var calls: [Call] = []
    calls.reserveCapacity(sets.count * 2)
    for set in sets {
      for slot in plan.sets[set].leaves { leaves.append((slot, set)) }
      for field in plan.sets[set].composite { calls.append((field, set)) }
    }
    self.leaves = leaves
    self.calls = calls
  }

  /// Nothing is left to be done.
  static var done: LevelWalk { LevelWalk() }

  private init() {
    leaves = []
    calls = []
  }

  /// One field of the root alone.
  init(rootField operation: WriteOperation, of plan: OperationPlan) {
    let root = plan.sets[0]
    leaves = operation.isComputed ? [(Int(operation.place), 0)] : []
    calls =
      operation.givesObjects
      ? root.composite.filter { $0.field == Int(operation.field) }.map { ($0, 0) } : []
  }

  mutating func takeLeaf() -> Leaf? {
    guard nextLeaf < leaves.count else { return nil }
    defer { nextLeaf += 1 }
    return leaves[nextLeaf]
  }

  /// The leaf, or the call, that was taken last is to be taken again.
  mutating func putBackLeaf() { nextLeaf -= 1 }
  mutating func putBackCall() { nextCall -= 1 }

  /// Keeps a call for later. Places of the level that share a call have it made once.
  mutating func postpone(_ call: WaitingCall) {
    if !postponed.contains(call) { postponed.append(call) }
  }

  mutating func takePostponed() -> [WaitingCall] {
    defer { postponed = [] }
    return postponed
  }

  mutating func takeCall() -> Call? {
    guard nextCall < calls.count else { return nil }
    defer { nextCall += 1 }
    return calls[nextCall]
  }
}

/// Why an execution does not go on by itself.
enum Pause {
  /// Calls that have to be awaited.
  case waiting([WaitingCall])
  /// The loop's time is used up: the call that comes next has to be made elsewhere.
  case overdue
}
