/// The limits of a database: the budget of each transaction and the capacity of each queue.
package struct DatabaseLimits: Sendable {
  /// Steps of SQLite's virtual machine in one read transaction; five million are some 50 to 100 ms.
  package var readSteps = 5_000_000
  /// Steps in one transaction of a reader that counts the rows of whole tables: about 100 million rows.
  package var countingSteps = 500_000_000
  /// The budget of a transaction of a loop's reader.
  package var loopTurn = LoopTurn()
  /// The limits of PostgreSQL servers.
  package var postgreSQL = PostgreSQLLimits()
  /// Steps in the body of one write: one to three seconds, in which other writes wait. The largest writes of clients
  /// take less than a second: see `FamilyMerge.maximumRows`. With SQLite only.
  package var writeSteps = 10_000_000
  /// Capacity of the queue of writes. Further writes are rejected immediately as `overloaded`.
  package var queuedWrites = 4_096
  /// How many of them may be of one lane (`Database.write`). With SQLite only.
  package var queuedWritesOfLane = 256
  /// The largest group that shares a transaction, so that the first write of a group does not wait for the entire
  /// queue. With SQLite only.
  package var groupedWrites = 256
  /// A group ends when its bodies have taken this long, and the rest waits for the next one: the longest time that
  /// writes of one lane keep those of others waiting, beside a commit. A single body can take longer. The commit that
  /// each group costs takes some milliseconds on a slow disk. With SQLite only.
  package var groupTime = Duration.milliseconds(20)
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
