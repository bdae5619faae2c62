import CSQLite

/// Reads, for one event loop: a connection of its own that may not change anything, on which each request sees one
/// snapshot of the data.
///
/// Not Sendable: it stays with the loop that has it. Within a write transaction it reads what that transaction has written.
@usableFromInline package final class Reader {
  @usableFromInline let connection: Connection
  /// Unchecked for the same reason as the connection's statements.
  @exclusivity(unchecked) @usableFromInline var isReading: Bool
  private let steps: Int

  init(
    path: String,
    limits: DatabaseLimits,
    fileSystem: String? = nil,
    health: DatabaseHealth? = nil
  ) throws(DatabaseError) {
    connection = try Connection(
      path: path,
      mode: .read,
      busyTimeout: limits.busyTimeout,
      fileSystem: fileSystem,
      health: health
    )
    steps = limits.readSteps
    isReading = false
  }

  /// Within a transaction that somebody else begins and ends.
  init(within connection: Connection) {
    self.connection = connection
    steps = 0
    isReading = true
  }

  /// The prepared form of `sql`. The first one since `endRead` begins a transaction: from then on, nothing that is
  /// committed elsewhere is seen.
  @inlinable @inline(__always)
  package func statement(_ sql: SQL) throws(DatabaseError) -> Statement {
    if !isReading { try beginRead() }
    return try connection.statement(sql)
  }

  @usableFromInline @inline(never)
  func beginRead() throws(DatabaseError) {
    connection.budget.allow(steps)
    try connection.execute(.begin)
    isReading = true
  }

  /// Lets the snapshot go, at the end of a request or before its write. Costs nothing when nothing was read.
  package func endRead() {
    guard isReading else { return }
    isReading = false
    connection.budget.allowAll()
    // A read has nothing to lose: whatever is said here, the transaction is over after the next two lines.
    try? connection.execute(.commit)
    guard sqlite3_txn_state(connection.handle, nil) != SQLITE_TXN_NONE || connection.isInTransaction else { return }
    connection.finishRunningStatements()
    if connection.isInTransaction { try? connection.execute(.rollback) }
  }

  /// How SQLite would run `sql`: the details of EXPLAIN QUERY PLAN, one line a step. For the tests of loaders.
  package func queryPlan(of sql: SQL) throws(DatabaseError) -> [String] {
    var details: [String] = []
    try connection.forEachRow(of: "EXPLAIN QUERY PLAN \(sql.text)") { row in details.append(row.string(3)) }
    return details
  }
}

extension SQL {
  static let begin = SQL("BEGIN")
  static let commit = SQL("COMMIT")
  static let rollback = SQL("ROLLBACK")
}
