/// The limits of a database: the budget of each transaction and the capacity of each queue.
package struct DatabaseLimits: Sendable {
  /// Steps of SQLite's virtual machine in one read transaction; five million are some 50 to 100 ms.
  package var readSteps = 5_000_000
  /// Steps in one transaction of a reader that counts the rows of whole tables: about 100 million rows.
  package var countingSteps = 500_000_000
  /// The budget of a transaction of a loop's reader.
  package var loopTurn = LoopTurn()
  /// The time in which a PostgreSQL server must answer a statement of a request. It is longer than the 100 ms of
  /// `readSteps` because other clients of the server use its processors too. Statements also exceed it because of a
  /// lock or a slow disk (`DatabaseError.Code.tooSlow`).
  package var serverReadTime = Duration.seconds(1)
  /// The time that all statements of a request can take, and after which a PostgreSQL server that does not answer
  /// the statements of a request is given up.
  package var serverTransactionTime: Duration { serverReadTime * 5 }
  /// The longest time that a request waits for a connection to a PostgreSQL server while others use all of them, to
  /// read or to write.
  package var serverConnectionTimeout = Duration.seconds(2)
  /// Rows that a PostgreSQL server may return in one read transaction. The counterpart of `readSteps`.
  package var serverRows = 200_000
  /// Connections to a PostgreSQL server with which the requests of one event loop read.
  package var serverConnectionsPerLoop = 4
  /// The time in which a write replaces a lost connection to a PostgreSQL server, beyond the time for which it may
  /// wait and be repeated.
  package var serverRecoveryTime = Duration.seconds(10)
  /// The time in which a PostgreSQL server must answer a statement of a write, or of a reader without a time limit.
  package var serverStatementTime = Duration.seconds(5)
  /// The time after which a PostgreSQL server that does not answer the statements of a write is given up.
  package var serverBatchTime: Duration { serverStatementTime * 2 }
  /// Steps in the body of one write.
  package var writeSteps = 20_000_000
  /// Capacity of the queue of writes. Further writes are rejected immediately as `overloaded`.
  package var queuedWrites = 4_096
  /// How many of them may be of one lane (`Database.write`). With SQLite only.
  package var queuedWritesOfLane = 256
  /// The largest group that shares a transaction, so that the first write of a group does not wait for the entire
  /// queue.
  package var groupedWrites = 256
  /// A group ends when its bodies have taken this long, and the rest waits for the next one: the longest time that
  /// writes of one lane keep those of others waiting, beside a commit. A single body can take longer. The commit that
  /// each group costs takes some milliseconds on a slow disk. With SQLite only.
  package var groupTime = Duration.milliseconds(20)
  /// The same on a PostgreSQL server, which remembers the state of 64 parts of a transaction without looking it up.
  package var serverGroupedWrites = 48
  /// The longest time to wait for a lock that another process holds.
  package var busyTimeout = Duration.seconds(5)
  /// The page cache of the writer's connection, which SQLite allocates on demand.
  package var writerCacheKibibytes = 16_384
  /// Pages in the write-ahead log that trigger a checkpoint, which runs after the callers have their results: 64 MiB. A
  /// checkpoint copies a page once, however often it is in the log. With half as many, new chores took 2 µs more each.
  package var checkpointPages = 16_000
  /// The longest time that a checkpoint waits for readers that are recalled, while the log is not yet twice as large as
  /// it may be without being waited for. A thread with the idle scheduling policy can get no processor time for
  /// seconds.
  package var checkpointTimeout = Duration.milliseconds(100)

  package init() {}
}
