import Synchronization

/// Counts what a writer has done, for metrics.
package final class WriteCounts: Sendable {
  package struct Values: Equatable, Sendable {
    /// Transactions that were committed.
    package var committed = 0
    /// Executions that were repeated because of a conflict.
    package var retried = 0
    /// Executions that were repeated because the connection was lost before COMMIT was sent, or without effect.
    package var reconnected = 0
    /// Commits whose outcome had to be found out.
    package var inDoubt = 0
    /// Writes that were rejected because they waited too long or were too many.
    package var rejected = 0
  }

  private let state = Mutex(Values())

  package var values: Values { state.withLock { $0 } }

  func add(_ value: any WritableKeyPath<Values, Int> & Sendable) { state.withLock { $0[keyPath: value] += 1 } }
}
