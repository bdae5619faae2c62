import CSQLite

/// What the body of a write works with. It lives as long as the body runs, on the writer's thread.
@usableFromInline package final class WriteTransaction {
  /// Loaders read through this, and see what has been written so far.
  @usableFromInline package let reader: Reader
  private(set) var whenCommitted: [() -> Void] = []
  private(set) var news: [any Sendable] = []

  init(reader: Reader) { self.reader = reader }

  @inlinable
  package func statement(_ text: StatementText) throws(DatabaseError) -> Statement { try reader.statement(text) }

  /// How many rows the last INSERT, UPDATE or DELETE touched, without those of triggers and cascades.
  package var changedRows: Int { Int(sqlite3_changes64(reader.connection.handle)) }

  /// Writes a page as it is, so that the commit has something to store.
  func touch() throws(DatabaseError) { try reader.connection.touch() }

  /// Runs `action` on the writer's thread once the transaction is on the disk, before its caller and those that shared
  /// it have their answers; in the order in which they were committed. Not run when the body throws or the commit
  /// fails. All writes wait for it: hand over and return.
  package func afterCommit(_ action: @escaping () -> Void) { whenCommitted.append(action) }

  /// Has what this write tells of handed to the database's `announce` once it is on the disk, after all `afterCommit`
  /// and in the order in which it was committed. Not when the body throws or the commit fails.
  package func tell(_ news: any Sendable) { self.news.append(news) }
}
