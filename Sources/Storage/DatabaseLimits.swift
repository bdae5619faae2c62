/// What a database may be asked for at once: each queue and each loop has its end, and here is its name.
package struct DatabaseLimits: Sendable {
  /// Steps of SQLite's virtual machine in one read transaction; five million are some 50 to 100 ms.
  package var readSteps = 5_000_000
  /// What a transaction of a loop's reader may use of the loop's time.
  package var loopTurn = LoopTurn()
  /// Steps in the body of one write.
  package var writeSteps = 20_000_000
  /// Writes that may wait; one more is refused at once as `overloaded`.
  package var queuedWrites = 4_096
  /// Writes that share a transaction, so that the first of them does not wait for all that are queued.
  package var groupedWrites = 256
  /// Milliseconds to wait for a lock that another process holds.
  package var busyTimeout: Int32 = 5_000
  /// Memory for pages of the writer's connection. SQLite takes it as it needs it.
  package var writerCacheKibibytes = 16_384
  /// Pages in the write-ahead log after which it is copied into the database file, once the callers have their answers.
  package var checkpointPages = 8_000

  package init() {}
}
