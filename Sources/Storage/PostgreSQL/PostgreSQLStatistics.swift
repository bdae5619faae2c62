import Synchronization

/// What the connections to a PostgreSQL server do and have done, for metrics. All numbers are 0 with SQLite.
package struct PostgreSQLStatistics: Sendable {
  /// Connections of the loops that a request reads with at the moment, and those that none does.
  package var usedConnections = 0
  package var idleConnections = 0
  /// Requests that wait for such a connection.
  package var waitingReads = 0
  /// Requests that have had to wait for one since the start, and those that waited in vain.
  package var waits = 0
  package var rejectedReads = 0
  package var readRoundTrips = 0
  package var writeRoundTrips = 0
  /// Including those that begin and end transactions.
  package var statements = 0
  /// Writes that were rejected since the start because they waited too long or were too many.
  package var rejectedWrites = 0
  /// Executions of writes that were repeated because of a conflict, and because the connection was lost.
  package var conflicts = 0
  package var reconnections = 0
  /// Commits whose outcome had to be found out.
  package var commitsInDoubt = 0
  /// Messages to other processes, and from them.
  package var hintMessages = 0
}

/// The counts of the loops' connections. A loop changes them, and any thread reads them.
final class ReadPoolCounts: Sendable {
  private let used = Atomic<Int>(0)
  private let idle = Atomic<Int>(0)
  private let waiting = Atomic<Int>(0)
  private let waits = Atomic<Int>(0)
  private let rejected = Atomic<Int>(0)

  /// A loop's connections and waiting requests change by these numbers.
  func change(used: Int = 0, idle: Int = 0, waiting: Int = 0) {
    if used != 0 { self.used.add(used, ordering: .relaxed) }
    if idle != 0 { self.idle.add(idle, ordering: .relaxed) }
    if waiting != 0 { self.waiting.add(waiting, ordering: .relaxed) }
    if waiting > 0 { waits.add(waiting, ordering: .relaxed) }
  }

  func reject() { rejected.add(1, ordering: .relaxed) }

  func write(to statistics: inout PostgreSQLStatistics) {
    statistics.usedConnections = used.load(ordering: .relaxed)
    statistics.idleConnections = idle.load(ordering: .relaxed)
    statistics.waitingReads = waiting.load(ordering: .relaxed)
    statistics.waits = waits.load(ordering: .relaxed)
    statistics.rejectedReads = rejected.load(ordering: .relaxed)
  }
}
