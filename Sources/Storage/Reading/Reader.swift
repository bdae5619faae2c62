import CSQLite

/// Reads, for one thread: a connection of its own that may not change anything, on which each request sees one
/// snapshot of the data.
///
/// Not Sendable: it stays with the thread that has it. Within a write transaction it reads what that transaction has
/// written.
@usableFromInline package final class Reader {
  @usableFromInline let connection: Connection
  /// Unchecked for the same reason as the connection's statements.
  @exclusivity(unchecked) @usableFromInline var isReading: Bool
  private let steps: Int

  /// - Parameter isOnLoop: whether each transaction is overdue after `DatabaseLimits.loopTurn`.
  init(
    path: String,
    limits: DatabaseLimits,
    isOnLoop: Bool = false,
    fileSystem: String? = nil,
    health: DatabaseHealth? = nil
  ) throws(DatabaseError) {
    connection = try Connection(
      path: path,
      mode: .read,
      busyTimeout: limits.busyTimeout,
      fileSystem: fileSystem,
      health: health,
      turn: isOnLoop ? limits.loopTurn : nil
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
  package func statement(_ sql: StatementText) throws(DatabaseError) -> Statement {
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

  /// Whether the transaction has read as much as it may (`DatabaseLimits.readSteps`).
  package var isExhausted: Bool { connection.budget.isExhausted }

  /// Whether the transaction has used its part of the loop's time: its statements fail from now on, and what they were
  /// for moves to a thread that may take longer.
  package var isOverdue: Bool {
    get { connection.budget.isOverdue }
    set { connection.budget.isOverdue = newValue }
  }

  /// Whether its transactions do not become overdue for now: for what could not go on elsewhere.
  package var isPatient: Bool {
    get { connection.budget.isPatient }
    set { connection.budget.isPatient = newValue }
  }

  /// Reads the clock, for work beside the statements. Time counts from its first reading.
  package func checkTime() -> Bool { isReading && connection.budget.look() }

  /// Runs full-text searches, of which SQLite's steps say little about the time they take.
  package func searching<Result>(_ body: () throws -> Result) throws -> Result {
    if !isReading { try beginRead() }
    return try connection.budget.searching(body)
  }

  /// How SQLite would run `sql`: the details of EXPLAIN QUERY PLAN, one line a step. For the tests of loaders.
  package func queryPlan(of sql: StatementText) throws(DatabaseError) -> [String] {
    var details: [String] = []
    try connection.forEachRow(of: "EXPLAIN QUERY PLAN \(sql.text)") { row in details.append(row.string(3)) }
    return details
  }
}

extension StatementText {
  static let begin = StatementText("BEGIN")
  static let commit = StatementText("COMMIT")
  static let rollback = StatementText("ROLLBACK")
}
