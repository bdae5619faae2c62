import Basics
import CSQLite

/// The remaining read budget of a connection, enforced by SQLite's progress handler
/// (https://sqlite.org/c3ref/progress_handler.html): steps of the virtual machine and, on an event loop, processor
/// time. When either is used up, the running statement fails with `budgetExceeded`.
///
/// Interrupting a statement that writes rolls back its entire transaction. Interrupting one that only reads does not.
@usableFromInline struct StepBudget: ~Copyable {
  /// Steps between two calls of the handler: often enough for an exact count, rarely enough that the calls cost nothing
  /// measurable. SQLite carries the remainder from one run of a statement to the next, so that many short statements
  /// are counted too.
  static let stride = 1_000
  /// The stride for full-text searches, which spend most of their time outside of the virtual machine and take only a
  /// few steps for each page of the index.
  private static let searchStride = 10
  /// Steps before the clock is first read, and between two later readings. Typical requests never read it.
  private static let unwatchedSteps = 16_000
  private static let stepsBetweenReadings = 4_000
  private static let searchStepsBetweenReadings = 100

  @usableFromInline struct State {
    /// Steps left in this transaction.
    var remaining = Int.max
    var stride = StepBudget.stride
    /// Steps until the clock is read; `Int.max` on a thread without a time limit.
    var untilReading = Int.max
    /// Steps left on the event loop.
    var onLoop = Int.max
    /// The time of the first reading of the clock; 0 before it.
    var start: UInt64 = 0
    @usableFromInline var isOverdue = false
    var hasNoTimeLimit = false
    /// Owned by the budget.
    var recall: Unmanaged<SnapshotRecall>?
    /// `SnapshotRecall.number` when the transaction began; nil before the first one, while the connection is opened.
    var recallAtBegin: Int?
    var isRecalled = false

    mutating func checkRecall() {
      if let recall, let recallAtBegin, recall.takeUnretainedValue().number != recallAtBegin { isRecalled = true }
    }
  }

  /// Owned by this value. SQLite holds the pointer while the connection is open, and the connection is closed before
  /// its budget is released.
  @usableFromInline let state: UnsafeMutablePointer<State>
  private let database: OpaquePointer
  /// The budget of one request on the event loop; nil on other threads.
  private let turn: LoopTurn?
  /// Nil for transactions that are not recalled.
  private let recall: SnapshotRecall?

  init(of database: OpaquePointer, turn: LoopTurn?, recall: SnapshotRecall?) {
    self.database = database
    self.turn = turn
    self.recall = recall
    state = .allocate(capacity: 1)
    state.initialize(to: State())
    state.pointee.recall = recall.map { Unmanaged.passUnretained($0) }
    watch(stride: Self.stride)
  }

  deinit { state.deallocate() }

  private func watch(stride: Int) {
    state.pointee.stride = stride
    // The context contains the limits too, so that the handler needs no reference to this value.
    sqlite3_progress_handler(
      database,
      Int32(stride),
      { context in
        guard let state = context?.assumingMemoryBound(to: State.self) else { return 0 }
        state.pointee.remaining -= state.pointee.stride
        state.pointee.checkRecall()
        if state.pointee.remaining < 0 || state.pointee.isOverdue || state.pointee.isRecalled { return 1 }
        state.pointee.onLoop -= state.pointee.stride
        state.pointee.untilReading -= state.pointee.stride
        guard state.pointee.untilReading < 0 || state.pointee.onLoop < 0 else { return 0 }
        return StepBudget.look(state) ? 1 : 0
      },
      state
    )
  }

  /// Begins a transaction that can take `steps` steps.
  func allow(_ steps: Int) {
    state.pointee.remaining = steps
    state.pointee.isOverdue = false
    state.pointee.isRecalled = false
    state.pointee.recallAtBegin = recall?.number
    limitTurn()
  }

  private func limitTurn() {
    guard let turn, !state.pointee.hasNoTimeLimit else { return }
    state.pointee.onLoop = turn.steps
    state.pointee.untilReading = Self.unwatchedSteps
    state.pointee.start = 0
  }

  /// Whether the time limit of the loop is suspended, for work that cannot move to another thread.
  var hasNoTimeLimit: Bool {
    get { state.pointee.hasNoTimeLimit }
    nonmutating set {
      guard newValue != state.pointee.hasNoTimeLimit else { return }
      state.pointee.hasNoTimeLimit = newValue
      state.pointee.onLoop = .max
      state.pointee.untilReading = .max
      limitTurn()
    }
  }

  func allowAll() {
    state.pointee.isOverdue = false
    state.pointee.remaining = .max
    state.pointee.onLoop = .max
    state.pointee.untilReading = .max
  }

  /// Whether the transaction has used all of its steps.
  var isExhausted: Bool { state.pointee.remaining < 0 }

  /// Whether the transaction was stopped by `SnapshotRecall`.
  var isRecalled: Bool { state.pointee.isRecalled }

  /// Whether either part of the budget is used up.
  var isUsedUp: Bool { isExhausted || isOverdue }

  /// Whether the request has used its budget on the loop.
  @inlinable var isOverdue: Bool {
    get { state.pointee.isOverdue }
    nonmutating set { state.pointee.isOverdue = newValue }
  }

  /// Reads the clock, for work outside of SQLite, and returns whether the budget is used up. The time is measured from
  /// the first call, so call it repeatedly.
  func look() -> Bool { turn == nil || hasNoTimeLimit ? false : Self.look(state) }

  /// Measures the time on the loop from the next reading of the clock, after other requests may have used the loop.
  func restartClock() { state.pointee.start = 0 }

  private static func look(_ state: UnsafeMutablePointer<State>) -> Bool {
    // Elapsed time would count the time for which the loop waits for a processor.
    let now = ThreadClock.nanoseconds
    if state.pointee.start == 0 { state.pointee.start = now }
    state.pointee.untilReading =
      state.pointee.stride == searchStride ? searchStepsBetweenReadings : stepsBetweenReadings
    if state.pointee.onLoop < 0 || now - state.pointee.start > LoopTurn.nanoseconds { state.pointee.isOverdue = true }
    return state.pointee.isOverdue
  }

  /// Checks the budget more often while `body` runs full-text searches.
  func searching<Result, Failure>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    guard turn != nil, !hasNoTimeLimit else { return try body() }
    watch(stride: Self.searchStride)
    _ = Self.look(state)
    defer {
      state.pointee.untilReading = Self.stepsBetweenReadings
      watch(stride: Self.stride)
    }
    return try body()
  }
}

/// How much one request can read on an event loop before its execution moves to another thread.
package struct LoopTurn: Sendable {
  /// Steps of SQLite's virtual machine.
  package var steps = 200_000
  /// The counterpart for statements that another process executes: rows that the loop receives. A row of a list takes
  /// SQLite some 20 steps.
  var rows: Int { steps / 20 }
  /// Processor time since the first reading of the clock. At most 16,000 steps or 1,000 rows precede that reading.
  static let nanoseconds: UInt64 = 2_000_000

  package init() {}
}
