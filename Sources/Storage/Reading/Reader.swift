import CSQLite

/// Reads for one thread. Each request sees one snapshot of the data.
///
/// Not Sendable: it stays on its thread. Within a write transaction it sees the changes of that transaction.
///
/// A reader that does not answer at once (`answersAtOnce`) is read in passes: see `DeferredReads`.
@usableFromInline package final class Reader {
  /// The connection to a SQLite file; nil if the database is in another process.
  @usableFromInline let connection: Connection?
  /// Whether `connection` has a read transaction. Exclusivity is unchecked for the same reason as for
  /// `Connection.statements`.
  @exclusivity(unchecked) @usableFromInline var isReading: Bool
  private let steps: Int
  /// Nil if statements are answered at once. Otherwise `isReading` is always false.
  private let deferred: DeferredReads?
  /// Not nil if statements are answered at once by another process. `isReading` is then always false.
  private let blocking: BlockingReads?

  /// The times of the connection's statements; nil unless they are measured (`DatabaseOpening.measuresStatements`).
  package var trace: StatementTrace? { connection?.trace }

  /// - Parameters:
  ///   - isOnLoop: whether each transaction is overdue after `DatabaseLimits.loopTurn`.
  ///   - isDeferred: whether statements are not answered at once.
  init(
    path: String,
    limits: DatabaseLimits,
    isOnLoop: Bool = false,
    isDeferred: Bool = false,
    fileSystem: String? = nil,
    health: DatabaseHealth? = nil,
    measuresStatements: Bool = false
  ) throws(DatabaseError) {
    let connection = try Connection(
      path: path,
      mode: .read,
      busyTimeout: limits.busyTimeout,
      fileSystem: fileSystem,
      health: health,
      turn: isOnLoop ? limits.loopTurn : nil
    )
    if measuresStatements { connection.measureStatements() }
    self.connection = connection
    steps = limits.readSteps
    isReading = false
    deferred = isDeferred ? DeferredReads(SQLiteAnswers(on: connection, steps: limits.readSteps)) : nil
    blocking = nil
  }

  /// A reader within a transaction that the writer begins and ends.
  init(within connection: Connection) {
    self.connection = connection
    steps = 0
    isReading = true
    deferred = nil
    blocking = nil
  }

  /// A reader of a database in another process, whose statements are not answered at once.
  init(_ deferred: DeferredReads) {
    connection = nil
    steps = 0
    isReading = false
    self.deferred = deferred
    blocking = nil
  }

  /// A reader of a database in another process, whose statements block the thread until they are answered.
  init(_ blocking: BlockingReads) {
    connection = nil
    steps = 0
    isReading = false
    deferred = nil
    self.blocking = blocking
  }

  /// The prepared statement for `sql`. The first call after `endRead()` begins a transaction: from then on, commits of
  /// other connections are not visible.
  @inlinable @inline(__always)
  package func statement(_ sql: StatementText) throws(DatabaseError) -> Statement {
    if !isReading { return try firstStatement(sql) }
    // Only a connection has a read transaction.
    return try connection.unsafelyUnwrapped.statement(sql)
  }

  @usableFromInline @inline(never)
  func firstStatement(_ sql: StatementText) throws(DatabaseError) -> Statement {
    if let deferred { return try deferred.statement(sql) }
    if let blocking { return blocking.statement(sql) }
    return try beginRead().statement(sql)
  }

  /// Only without `deferred` and `blocking`.
  private func beginRead() throws(DatabaseError) -> Connection {
    let connection = connection.unsafelyUnwrapped
    connection.budget.allow(steps)
    try connection.execute(.begin)
    isReading = true
    return connection
  }

  /// Ends the read transaction and releases its snapshot, at the end of a request or before its write. Costs nothing if
  /// nothing was read.
  package func endRead() {
    if let deferred { return deferred.endRead() }
    if let blocking { return blocking.endRead() }
    guard isReading else { return }
    isReading = false
    connection?.endRead()
  }

  /// Whether the transaction has used its whole budget (`DatabaseLimits.readSteps`, `serverReadTime`, `serverRows`).
  package var isExhausted: Bool {
    connection?.budget.isExhausted ?? deferred?.isExhausted ?? blocking?.isExhausted ?? false
  }

  /// Whether the transaction has used its budget on the loop. Its statements then fail, and the execution moves to a
  /// thread without a time limit.
  @inlinable package var isOverdue: Bool {
    get { if let connection { connection.budget.isOverdue } else { false } }
    set { if let connection { connection.budget.isOverdue = newValue } }
  }

  /// Whether the time limit of the loop is suspended, for work that cannot move to another thread.
  package var isPatient: Bool {
    get { if let connection { connection.budget.isPatient } else { false } }
    set { if let connection { connection.budget.isPatient = newValue } }
  }

  /// Reads the clock, for work outside of SQLite, and returns whether the transaction is overdue. The time is measured
  /// from the first call.
  package func checkTime() -> Bool { isReading && connection?.budget.look() ?? false }

  /// Runs full-text searches, whose cost is not reflected in steps of SQLite's virtual machine.
  package func searching<Result>(_ body: () throws -> Result) throws -> Result {
    if let deferred {
      deferred.isSearching = true
      defer { deferred.isSearching = false }
      return try body()
    }
    guard let connection else { return try body() }
    if !isReading { _ = try beginRead() }
    return try connection.budget.searching(body)
  }

  // MARK: Passes

  /// Whether the statements of this reader have their rows at once. Otherwise it is read in passes.
  package var answersAtOnce: Bool { deferred == nil }

  /// Begins a pass of a reader that does not answer at once. Its statements are requested only in passes.
  package func beginPass() { deferred?.beginPass() }

  /// Ends the pass. Returns whether a statement had no answer yet, and therefore no rows: what the pass returned is
  /// meaningless, and it must be repeated after `answers()`.
  package func endPass() -> Bool { deferred?.endPass() ?? false }

  /// Returns when all statements that had no answer are answered.
  package func answers() async { await deferred?.answers() }

  /// Releases the answers that the passes so far needed.
  package func forgetAnswers() { deferred?.forgetAnswers() }

  /// SQLite's plan of `sql`: the details of EXPLAIN QUERY PLAN, one line per step. For tests of loaders.
  package func queryPlan(of sql: StatementText) throws(DatabaseError) -> [String] {
    var details: [String] = []
    try connection?.forEachRow(of: "EXPLAIN QUERY PLAN \(sql.text)") { row in details.append(row.string(3)) }
    return details
  }
}

extension StatementText {
  static let begin = StatementText("BEGIN")
  static let commit = StatementText("COMMIT")
  static let rollback = StatementText("ROLLBACK")
}
