import Basics

/// The limits of a connection for writes.
package struct ServerWriterOptions: Sendable {
  /// The largest number of writes that share a transaction.
  package var groupedWrites = 1
  /// The maximum number of writes that wait for the connection. Further ones are rejected immediately.
  package var queuedWrites = 4_096
  /// The time that a write may wait for the connection, and that it may be repeated because of conflicts.
  package var writeTimeout = Duration.seconds(2)
  /// The time in which the outcome of an interrupted COMMIT must be found out, and in which a lost connection must be
  /// replaced.
  package var recoveryTimeout = Duration.seconds(10)
  /// The time that a batch of statements may take.
  package var batchTimeout = Duration.seconds(15)

  /// Whether each transaction takes a block of numbers for keys (`ServerTransaction.nextNumber`).
  package var takesNumbers = false
  /// The key of an advisory lock that the connection shares with those of other writers as long as it is open. Who has
  /// the lock alone knows that no writer is connected to the database. Nil for none.
  package var sharedLock: Int64?
  /// Records the durations of commits.
  package var commitDurations: Histogram?

  package init() {}
}
