import Basics

/// The remaining budget of one request on an event loop, while its statements are executed elsewhere: the counterpart
/// of `StepBudget`. A request that has used it up moves to another thread.
///
/// Rows and statements are limited for the whole request, processor time from one answer to the next: then the loop
/// does other work.
@usableFromInline struct DeferredTurn {
  /// Asking and reading a statement takes the loop about as long as reading this many rows.
  private static let rowsOfStatement = 10
  /// Rows between two readings of the clock. Typical requests read it only when answers arrive.
  private static let rowsBetweenReadings = 1_000

  private let turn: LoopTurn
  private var rowsLeft: Int
  private var untilReading = Self.rowsBetweenReadings
  /// When the request was answered last, by the clock of processor time; 0 before the first reading of the clock.
  private var start: UInt64 = 0
  @usableFromInline var isOverdue = false
  /// Whether the budget is suspended, for work that cannot move to another thread.
  @usableFromInline var hasNoTimeLimit = false {
    didSet {
      guard hasNoTimeLimit != oldValue else { return }
      rowsLeft = turn.rows
      untilReading = Self.rowsBetweenReadings
      start = 0
    }
  }

  init(_ turn: LoopTurn) {
    self.turn = turn
    rowsLeft = turn.rows
  }

  /// A statement is asked for.
  mutating func ask() {
    use(Self.rowsOfStatement)
    work(Self.rowsOfStatement)
  }

  /// Statements were answered by `rows`, after other requests may have used the loop.
  mutating func receive(_ rows: Int) {
    use(rows)
    untilReading = Self.rowsBetweenReadings
    start = hasNoTimeLimit ? 0 : ThreadClock.nanoseconds
  }

  /// An answer of `rows` is about to be read.
  mutating func read(_ rows: Int) { work(max(rows, Self.rowsOfStatement)) }

  /// Reads the clock, and returns whether the budget is used up.
  mutating func look() -> Bool {
    guard !hasNoTimeLimit else { return false }
    let now = ThreadClock.nanoseconds
    if start == 0 { start = now }
    if now - start > LoopTurn.nanoseconds { isOverdue = true }
    return isOverdue
  }

  private mutating func use(_ rows: Int) {
    guard !hasNoTimeLimit else { return }
    rowsLeft -= rows
    if rowsLeft < 0 { isOverdue = true }
  }

  private mutating func work(_ rows: Int) {
    untilReading -= rows
    guard untilReading < 0 else { return }
    untilReading = Self.rowsBetweenReadings
    _ = look()
  }
}
