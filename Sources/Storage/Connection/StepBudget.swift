import CSQLite
import Glibc

/// What a connection may still read, checked by SQLite's progress handler
/// (https://sqlite.org/c3ref/progress_handler.html): steps of the virtual machine and, on an event loop, processor
/// time. When either is used up, the running statement fails as `budgetExceeded`.
///
/// An interrupted statement that writes takes its whole transaction with it; one that only reads does not.
struct StepBudget: ~Copyable {
  /// Steps between two calls of the handler: its cost disappears, and the count is exact enough. SQLite carries the
  /// remainder from one run of a statement to the next, so many short statements are counted too.
  static let stride = 1_000
  /// The same for full-text searches. They spend most of their time outside of the virtual machine, with a few steps
  /// for each page of the index.
  private static let searchStride = 10
  /// Steps before the clock is first read, and between two readings. Usual requests never read it.
  private static let unwatchedSteps = 16_000
  private static let stepsBetweenReadings = 4_000
  private static let searchStepsBetweenReadings = 100

  private struct State {
    /// Steps left in this transaction.
    var remaining = Int.max
    var stride = StepBudget.stride
    /// Steps until the clock is read; `Int.max` where the thread may take its time.
    var untilReading = Int.max
    /// Steps that the loop may make, as far as they are left.
    var onLoop = Int.max
    /// When the clock was first read; 0 before.
    var start: UInt64 = 0
    var isOverdue = false
    var isPatient = false
  }

  /// Owned by this value; SQLite has the pointer for as long as the connection is open, and the connection closes
  /// before it lets its budget go.
  private let state: UnsafeMutablePointer<State>
  private let database: OpaquePointer
  /// What one request may use on the loop; nil on other threads.
  private let turn: LoopTurn?

  init(of database: OpaquePointer, turn: LoopTurn? = nil) {
    self.database = database
    self.turn = turn
    state = .allocate(capacity: 1)
    state.initialize(to: State())
    watch(stride: Self.stride)
  }

  deinit { state.deallocate() }

  private func watch(stride: Int) {
    state.pointee.stride = stride
    // The handler's context has the allowance too, so that it needs no reference to this value.
    sqlite3_progress_handler(
      database,
      Int32(stride),
      { context in
        guard let state = context?.assumingMemoryBound(to: State.self) else { return 0 }
        state.pointee.remaining -= state.pointee.stride
        if state.pointee.remaining < 0 || state.pointee.isOverdue { return 1 }
        state.pointee.onLoop -= state.pointee.stride
        state.pointee.untilReading -= state.pointee.stride
        guard state.pointee.untilReading < 0 || state.pointee.onLoop < 0 else { return 0 }
        return StepBudget.look(state) ? 1 : 0
      },
      state
    )
  }

  /// A transaction of as many steps begins.
  func allow(_ steps: Int) {
    state.pointee.remaining = steps
    state.pointee.isOverdue = false
    limitTurn()
  }

  private func limitTurn() {
    guard let turn, !state.pointee.isPatient else { return }
    state.pointee.onLoop = turn.steps
    state.pointee.untilReading = Self.unwatchedSteps
    state.pointee.start = 0
  }

  /// Whether nothing becomes overdue for now, since it could not go on elsewhere.
  var isPatient: Bool {
    get { state.pointee.isPatient }
    nonmutating set {
      guard newValue != state.pointee.isPatient else { return }
      state.pointee.isPatient = newValue
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

  /// Whether the steps of the transaction are used up.
  var isExhausted: Bool { state.pointee.remaining < 0 }

  /// Whether what one request may use on the loop is used up.
  var isOverdue: Bool {
    get { state.pointee.isOverdue }
    nonmutating set { state.pointee.isOverdue = newValue }
  }

  /// Reads the clock for work that SQLite does not see. The first reading is the beginning, so ask again and again.
  func look() -> Bool { turn == nil || isPatient ? false : Self.look(state) }

  private static func look(_ state: UnsafeMutablePointer<State>) -> Bool {
    let now = threadTime()
    if state.pointee.start == 0 { state.pointee.start = now }
    state.pointee.untilReading =
      state.pointee.stride == searchStride ? searchStepsBetweenReadings : stepsBetweenReadings
    if state.pointee.onLoop < 0 || now - state.pointee.start > LoopTurn.nanoseconds { state.pointee.isOverdue = true }
    return state.pointee.isOverdue
  }

  /// Watches closely while `body` runs full-text searches.
  func searching<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard turn != nil, !isPatient else { return try body() }
    watch(stride: Self.searchStride)
    _ = Self.look(state)
    defer {
      state.pointee.untilReading = Self.stepsBetweenReadings
      watch(stride: Self.stride)
    }
    return try body()
  }

  /// Nanoseconds for which this thread has run. Not the time of day: a loop that waits for a processor uses none.
  private static func threadTime() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}

/// What one request may read on an event loop before its execution moves to another thread.
package struct LoopTurn: Sendable {
  /// Steps of SQLite's virtual machine.
  package var steps = 200_000
  /// Processor time from the first reading of the clock on, before which there are at most 16,000 steps.
  static let nanoseconds: UInt64 = 2_000_000

  package init() {}
}
