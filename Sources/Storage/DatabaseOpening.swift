/// Options for opening a database.
package struct DatabaseOpening: Sendable {
  /// Whether to open the database although its write-ahead log is missing, which loses the commits in that log.
  package var acceptsLostLog = false
  /// Statements that run, in one transaction, on a file from which commits can be missing: one that was restored from a
  /// backup or changed by another program, or whose write-ahead log is missing.
  package var afterLoss: [SQL<Void>] = []
  /// The SQLite VFS to use instead of the system's. For tests.
  package var fileSystem: String?
  /// Whether the times of statements are measured: see `Reader.trace`.
  package var measuresStatements = false
  /// Whether statements of the loops' readers are not answered at once: see `Reader.answersAtOnce`. For tests.
  package var defersReads = false
  /// The tables of SQLite whose partitions have versions of their own: see `DataVersion`.
  package var partitionedTables: [PartitionedTable] = []
  /// Called with sentences for the operator, for example about a step that takes long.
  package var report: @Sendable (String) -> Void = { _ in }

  package init() {}
}
