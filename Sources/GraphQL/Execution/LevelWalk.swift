import Bytes

/// The remaining work on the current level of an execution: first the leaves of its selection sets, then the calls that
/// return the objects of the next level.
///
/// The walk of a synchronous plan is not interrupted, unless it becomes overdue. Before the asynchronous calls of a
/// level the walk stops, and continues after they have been made. Both cases use the same code.
///
/// There is one for an `ExecutionMemory`, which keeps its memory for the next levels and requests.
struct LevelWalk: ~Copyable {
  struct Leaf: BitwiseCopyable {
    let slot: Int
    let set: Int
  }

  struct Call: BitwiseCopyable {
    let field: CompositeField
    let set: Int
  }

  private var leaves = PlainBuffer<Leaf>()
  private(set) var calls = PlainBuffer<Call>()
  /// The selection sets of the next level.
  var nextSets = PlainBuffer<Int>()
  private var nextLeaf = 0
  private(set) var nextCall = 0
  /// The calls of the level that wait. They are made after all others.
  private var postponed: [WaitingCall] = []
  /// The calls of the level for which data was missing. They are made again.
  private(set) var unanswered: [UnansweredCall] = []
  /// The number of passes in which calls of the level were made.
  private(set) var passes = 1

  /// Begins the level of `nextSets`.
  mutating func beginNext(of plan: OperationPlan) {
    clear()
    for index in nextSets.indices {
      let set = nextSets[index]
      for leaf in plan.sets[set].leaves { leaves.append(Leaf(slot: plan.leafSlots[leaf], set: set)) }
      for field in plan.sets[set].composite { calls.append(Call(field: plan.compositeFields[field], set: set)) }
    }
    nextSets.removeAll()
  }

  /// Begins the level of the root selection set.
  mutating func beginRoot(of plan: OperationPlan) {
    nextSets.removeAll()
    nextSets.append(0)
    beginNext(of: plan)
  }

  /// Begins the level of a single root field.
  mutating func begin(rootField operation: WriteOperation, of plan: OperationPlan) {
    clear()
    nextSets.removeAll()
    if operation.isComputed { leaves.append(Leaf(slot: Int(operation.source), set: 0)) }
    guard operation.givesObjects else { return }
    for field in plan.sets[0].composite where plan.compositeFields[field].field == Int(operation.field) {
      calls.append(Call(field: plan.compositeFields[field], set: 0))
    }
  }

  /// Ends the walk: nothing remains.
  mutating func end() {
    clear()
    nextSets.removeAll()
  }

  private mutating func clear() {
    leaves.removeAll()
    calls.removeAll()
    nextLeaf = 0
    nextCall = 0
    if !postponed.isEmpty { postponed = [] }
    if !unanswered.isEmpty { unanswered = [] }
    passes = 1
  }

  /// The fields that have calls on the level, as `Type.field`, each once.
  func coordinates(of plan: OperationPlan) -> [String] {
    let all =
      leaves.indices.map { plan.leaves[leaves[$0].slot].coordinate }
      + calls.indices.map { plan.coordinate(of: calls[$0].field.field) }
    var seen: Set<String> = []
    return all.filter { seen.insert($0).inserted }
  }

  /// Whether resolvers are called on the level. False if all fields of its objects are columns that are already loaded.
  var hasWork: Bool { !leaves.isEmpty || !calls.isEmpty }

  mutating func takeLeaf() -> Leaf? {
    guard nextLeaf < leaves.count else { return nil }
    defer { nextLeaf += 1 }
    return leaves[nextLeaf]
  }

  /// Returns the leaf or call that was taken last, to be taken again.
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

  mutating func repeatLater(_ call: UnansweredCall) {
    if !unanswered.contains(call) { unanswered.append(call) }
  }

  mutating func takeUnanswered() -> [UnansweredCall] {
    defer { unanswered = [] }
    return unanswered
  }

  mutating func beginNextPass() { passes += 1 }

  mutating func takeCall() -> Call? {
    guard nextCall < calls.count else { return nil }
    defer { nextCall += 1 }
    return calls[nextCall]
  }
}

/// The reason why an execution stops.
enum Pause {
  /// Asynchronous calls must be made.
  case waiting([WaitingCall])
  /// The time on the event loop is used up. The next call must be made off the loop.
  case overdue
  /// Data was missing. The next call can be made after `ExecutionContext.answers()`.
  case unanswered
}

/// Whether a call was made.
enum CallProgress {
  case made
  /// The execution is overdue, and the call must be repeated off the event loop.
  case overdue
  /// Data was missing, and the call must be repeated when it is there.
  case unanswered
}

/// A call for which data was missing.
enum UnansweredCall: Equatable {
  case objects(Int)
  case leaf(Int, set: Int)
  /// The load of the objects of a type with these keys.
  case load(type: Int, keys: [Int64])
}

/// A call of an asynchronous resolver.
enum WaitingCall: Equatable {
  case objects(Int)
  case leaf(Int, set: Int)
}
