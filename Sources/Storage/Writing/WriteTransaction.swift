import CSQLite

/// The transaction that is passed to the body of a write. Valid only while the body runs, on the writer's thread.
@usableFromInline package final class WriteTransaction {
  /// Loaders read through this reader and see the changes made so far.
  @usableFromInline package let reader: Reader
  private(set) var whenCommitted: [() -> Void] = []
  private(set) var publishedEvents: [any Sendable] = []

  init(reader: Reader) { self.reader = reader }

  @inlinable
  package func statement(_ text: StatementText) throws(DatabaseError) -> Statement { try reader.statement(text) }

  /// The number of rows that the last INSERT, UPDATE or DELETE changed, without those of triggers and cascades.
  package var changedRows: Int { Int(sqlite3_changes64(reader.connection.handle)) }

  /// The number of rows that all statements of the connection have changed, with those of triggers and of the tables
  /// behind a full-text index.
  package var totalChanges: Int { Int(sqlite3_total_changes64(reader.connection.handle)) }

  /// Rewrites a page unchanged, so that the commit has something to store.
  func touch() throws(DatabaseError) { try reader.connection.touch() }

  /// Runs `action` on the writer's thread once the transaction is durable, before the callers of its writes are
  /// resumed. Actions run in commit order. The action does not run if the body throws or the commit fails. It delays
  /// all writes and must return quickly.
  package func afterCommit(_ action: @escaping () -> Void) { whenCommitted.append(action) }

  /// Passes `event` to the database's `announce` once the transaction is durable, after all `afterCommit` actions and
  /// in commit order. The event is dropped if the body throws or the commit fails.
  package func publish(_ event: any Sendable) { publishedEvents.append(event) }

  /// Whether the log is emptied after the commit.
  private(set) var emptiesLog = false

  /// Copies the write-ahead log into the database file and empties it after the commit, so that neither contains what
  /// was deleted before. If readers prevent it, it is tried again after each of the next commits.
  package func emptyLogAfterCommit() { emptiesLog = true }
}
