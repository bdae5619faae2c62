/// The conflicts of a write that is executed by itself. They are kept while the write waits for its next execution.
struct WriteConflicts: Sendable {
  /// Until when the write may be repeated.
  let end: ContinuousClock.Instant
  var count = 0
  /// Whether it has violated a constraint, for which it is repeated once.
  var hasViolation = false
}
