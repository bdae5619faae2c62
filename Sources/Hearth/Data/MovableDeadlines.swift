import Storage

/// Moves deadlines to later times, because the clock was wrong when they were set. In milliseconds.
struct DeadlineMove: Equatable, Sendable {
  /// Deadlines that were set between these times are moved.
  let setFrom: Int64
  let setUntil: Int64
  let length: Int64
}

/// Stored deadlines of one kind, after which something is done that cannot be undone.
struct MovableDeadlines: Sendable {
  /// Moves deadlines, and returns their number.
  typealias Move = @Sendable (_ move: DeadlineMove, DatedWrite) throws -> Int

  /// The lease of the work that the deadlines are for. The process that has it moves them.
  let lease: String
  let move: Move
}
