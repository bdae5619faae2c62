/// How a database is to be opened.
package struct DatabaseOpening: Sendable {
  /// Whether to go on without a write-ahead log that is missing, and without the commits that were in it.
  package var acceptsLostLog = false
  /// The SQLite VFS to use in place of the system's: for tests.
  package var fileSystem: String?
  /// Is given a sentence about what takes time or should be known to the operator.
  package var report: @Sendable (String) -> Void = { _ in }

  package init() {}
}
