import CSQLite
import PostgreSQL

/// The transaction that is passed to the body of a write. Valid only while the body runs, on the writer's thread.
@usableFromInline package final class WriteTransaction {
  /// Loaders read through this reader and see the changes made so far.
  @usableFromInline package let reader: Reader
  private(set) var whenCommitted: [() -> Void] = []
  package let published = PublishedEvents()
  /// Not nil if the transaction is one of a PostgreSQL server.
  private let server: ServerTransaction?
  private let group: WriteGroup

  /// - Parameters:
  ///   - reader: within the transaction that SQLite's writer has begun.
  ///   - group: the writes that share that transaction.
  init(reader: Reader, of group: WriteGroup) {
    self.reader = reader
    self.group = group
    server = nil
  }

  init(on server: ServerTransaction, trace: ServerTrace?) {
    self.server = server
    group = WriteGroup()
    reader = Reader(BlockingReads(server, trace: trace))
  }

  @inlinable
  package func statement(_ text: StatementText) throws(DatabaseError) -> Statement { try reader.statement(text) }

  /// The number of rows that the last INSERT, UPDATE or DELETE changed, without those of triggers and cascades.
  ///
  /// On PostgreSQL it is 0 if the statement failed. The transaction then cannot be committed.
  package var changedRows: Int {
    if let connection = reader.connection { return Int(sqlite3_changes64(connection.handle)) }
    return server?.changedRows ?? 0
  }

  /// Numbers that no other write gets, of any process, from a sequence of a PostgreSQL server, in rising order. Nil
  /// with SQLite.
  package func nextNumbers(_ count: Int) throws(DatabaseError) -> [Int64]? {
    guard let server else { return nil }
    do throws(PostgreSQLError) { return try server.nextNumbers(count) } catch { throw DatabaseError(error) }
  }

  /// The next number of that sequence; nil with SQLite.
  package func nextNumber() throws(DatabaseError) -> Int64? {
    guard let server else { return nil }
    do throws(PostgreSQLError) { return try server.nextNumber() } catch { throw DatabaseError(error) }
  }

  /// What the body has collected for the end of the write.
  package var collected: (any CollectedWrites)?

  /// Writes what has been collected so far. `Database.write` calls this after the body.
  package func writeCollected() throws {
    guard let collected else { return }
    self.collected = nil
    try collected.write(in: self)
  }

  /// What the writes that share a transaction of SQLite have collected for its end. What a write adds stays if it fails
  /// and others of its group succeed.
  package var collectedByGroup: (any GroupWrites)? {
    get { group.collected }
    set { group.collected = newValue }
  }

  /// Merges some blocks of a full-text index into one, so that none contains deleted words. PostgreSQL's index is a
  /// table, whose deleted rows autovacuum removes.
  ///
  /// - Parameters:
  ///   - merge: the statement that merges blocks of at most as many pages as its parameter states.
  /// - Returns: whether nothing is left to merge.
  package func mergeBlocks(by merge: SQL<Int64>, pages: Int64) throws(DatabaseError) -> Bool {
    guard let connection = reader.connection else { return true }
    let before = sqlite3_total_changes64(connection.handle)
    try run(merge, pages)
    // https://sqlite.org/fts5.html#the_merge_command: fewer than two changes mean that nothing was left to merge.
    return sqlite3_total_changes64(connection.handle) - before < 2
  }

  /// Makes sure that the commit has something to store. SQLite rewrites a page unchanged; every transaction of a
  /// PostgreSQL server stores its `CommitToken`.
  package func touch() throws(DatabaseError) { try reader.connection?.touch() }

  /// Runs `action` on the writer's thread once the transaction is durable, before the callers of its writes are
  /// resumed. Actions run in commit order. The action does not run if the body throws or the commit fails. It delays
  /// all writes and must return quickly.
  package func afterCommit(_ action: @escaping () -> Void) { whenCommitted.append(action) }

  /// The same with all events that the write has published.
  package func afterCommit(_ action: @escaping (_ events: [any Sendable]) -> Void) {
    let published = published
    whenCommitted.append { action(published.events) }
  }

  /// Whether reading rows takes a round trip to another process.
  package var waitsForRows: Bool { server != nil }

  /// Executes a statement, and passes the blobs of its first column to `body` once the transaction is durable, like an
  /// action of `afterCommit`. No write waits for them. They are lost with the answer to the commit.
  package func run(_ sql: SQL<Void>, afterCommit body: @escaping ([[UInt8]]) -> Void) throws(DatabaseError) {
    guard let server else {
      let blobs = try reader.all(of: sql, ()) { row in Array(row.blob(0)) }
      return afterCommit { body(blobs) }
    }
    let whenCommitted = { (rows: ResultRows?) in
      guard let rows else { return }
      body((0..<rows.count).map { row in rows.value(row, 0).map(Array.init) ?? [] })
    }
    server.run(sql.statement.server, afterCommit: whenCommitted)
  }

  /// Executes a statement that returns a number on PostgreSQL, and lets `publish` add the events of that number. It
  /// arrives with the commit, so that no write waits for it; it is nil if the answer to the commit was lost. Returns
  /// false, and executes nothing, with SQLite.
  package func run<Parameters>(
    _ sql: SQL<Parameters>,
    _ parameters: Parameters,
    publishing publish: @escaping (Int64?, PublishedEvents) -> Void
  ) throws(DatabaseError) -> Bool {
    guard let server else { return false }
    let statement = try reader.statement(sql, parameters)
    let bound = try ParameterBuffer(statement.word.with { $0.takeParameters() }, of: sql.statement.server)
    let published = published
    server.run(sql.statement.server, bound) { rows in publish(rows?.int64(0, 0), published) }
    return true
  }

  /// Charges buckets that the processes of the database share: see `SharedRates.take`. They are not charged if the
  /// transaction is rolled back. Nil with SQLite.
  package func take(_ charges: [SharedRates.Charge], at now: Int64) throws(DatabaseError) -> Int64? {
    guard let server else { return nil }
    do throws(PostgreSQLError) {
      return try SharedRates.take(charges, at: now, in: server)
    } catch {
      throw DatabaseError(error)
    }
  }

  /// Passes `event` to the database's `announce` once the transaction is durable, after all `afterCommit` actions and
  /// in commit order. The event is dropped if the body throws or the commit fails.
  package func publish(_ event: any Sendable) { published.append(event) }

  /// Whether the log is emptied after the commit.
  private(set) var emptiesLog = false

  /// Copies the write-ahead log into the database file and empties it after the commit, so that neither contains what
  /// was deleted before. If readers prevent it, it is tried again after each of the next commits. Without effect on
  /// PostgreSQL, whose log the server recycles.
  package func emptyLogAfterCommit() { emptiesLog = true }
}

/// What a write publishes. The actions that run after the commit add to it without holding the transaction.
package final class PublishedEvents {
  fileprivate(set) var events: [any Sendable] = []

  /// The same as `WriteTransaction.publish`.
  package func append(_ event: any Sendable) { events.append(event) }
}

/// What the body of a write collects to be written at its end (`WriteTransaction.collected`).
package protocol CollectedWrites: AnyObject {
  func write(in transaction: WriteTransaction) throws
}

/// What several writes collect to be written once, at the end of the transaction that they share
/// (`WriteTransaction.collectedByGroup`).
package protocol GroupWrites: AnyObject {
  func write(in transaction: WriteTransaction) throws(DatabaseError)
}

/// The writes that share a transaction of SQLite.
final class WriteGroup {
  fileprivate(set) var collected: (any GroupWrites)?
}
