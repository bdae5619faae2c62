import Basics
import CSQLite

/// Reads for one thread. Each request sees one snapshot of the data.
///
/// Not Sendable: it stays on its thread. Within a write transaction it sees the changes of that transaction.
///
/// A reader that does not answer at once (`answersAtOnce`) is read in passes: see `DeferredReads`.
@usableFromInline package final class Reader {
  /// The connection to a SQLite file; nil if the database is in another process.
  @usableFromInline let connection: Connection?
  /// Whether `connection` has a read transaction.
  private var isReading: Bool { didSet { isUnrecorded = isReading && recorder == nil } }
  /// Whether a statement is neither the first one of a transaction nor recorded. Exclusivity is unchecked for the same
  /// reason as for `Connection.statements`.
  @exclusivity(unchecked) @usableFromInline var isUnrecorded: Bool
  /// The trace of the request that reads now; nil if it is not traced.
  package var recorder: RequestTrace? {
    didSet {
      isUnrecorded = isReading && recorder == nil
      deferred?.recorder = recorder
    }
  }
  private let steps: Int
  /// The versions of the file, if the snapshot of a request is kept for the next ones. A transaction that begins and
  /// ends costs as much as a statement.
  let versions: TableVersions?
  /// The version of the file before the snapshot, if its transaction has been kept open.
  private var keptVersion: UInt64?
  /// The version of the file before the transaction began.
  private var versionAtBegin: UInt64 = 0
  /// A version of the file that the reading which has begun contains; nil if none has.
  var readingSince: UInt64? { isReading ? versionAtBegin & ~1 : nil }
  /// A version of the file that contains what was read since `beginVersionedRead`.
  var versionedSince: UInt64?
  /// Nil if statements are answered at once. Otherwise `isReading` is always false.
  @usableFromInline let deferred: DeferredReads?
  /// Not nil if statements are answered at once by another process. `isReading` is then always false.
  private let blocking: BlockingReads?

  private let serverTrace: ServerTrace?

  /// The times of the statements; nil unless they are measured (`DatabaseOpening.measuresStatements`).
  package var trace: (any StatementTimes)? { connection?.trace ?? serverTrace }

  /// Whether `trace` is not nil, which is tested for each request.
  package var measuresStatements: Bool { connection?.measuresStatements ?? (serverTrace != nil) }

  /// Each of the other initializers gives the parts that its kind of reader has.
  private init(
    connection: Connection? = nil,
    versions: TableVersions? = nil,
    steps: Int = 0,
    isReading: Bool = false,
    deferred: DeferredReads? = nil,
    blocking: BlockingReads? = nil,
    serverTrace: ServerTrace? = nil
  ) {
    self.connection = connection
    self.versions = versions
    self.steps = steps
    self.isReading = isReading
    isUnrecorded = isReading
    self.deferred = deferred
    self.blocking = blocking
    self.serverTrace = serverTrace
  }

  /// - Parameters:
  ///   - isOnLoop: whether each transaction is overdue after `DatabaseLimits.loopTurn`.
  ///   - isDeferred: whether statements are not answered at once.
  ///   - versions: not nil if the owner calls `turnDidEnd` at the end of each turn of its loop. Until then the
  ///     snapshot is used again while nothing is committed.
  ///   - recall: not nil if transactions end when the log must be emptied.
  convenience init(
    path: String,
    limits: DatabaseLimits,
    isOnLoop: Bool = false,
    isDeferred: Bool = false,
    versions: TableVersions? = nil,
    recall: SnapshotRecall? = nil,
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
      versions: versions,
      turn: isOnLoop ? limits.loopTurn : nil,
      recall: recall
    )
    if measuresStatements { connection.measureStatements() }
    let deferred =
      isDeferred
      ? DeferredReads(SQLiteAnswers(on: connection, steps: limits.readSteps), turn: limits.loopTurn) : nil
    self.init(connection: connection, versions: versions, steps: limits.readSteps, deferred: deferred)
  }

  /// A reader within a transaction that the writer begins and ends.
  convenience init(within connection: Connection) { self.init(connection: connection, isReading: true) }

  /// A reader of a database in another process, whose statements are not answered at once.
  convenience init(_ deferred: DeferredReads, trace: ServerTrace?) {
    self.init(deferred: deferred, serverTrace: trace)
  }

  /// A reader of a database in another process, whose statements block the thread until they are answered.
  convenience init(_ blocking: BlockingReads) { self.init(blocking: blocking, serverTrace: blocking.trace) }

  /// The prepared statement for `sql`. The first call after `endRead()` begins a transaction: from then on, commits of
  /// other connections are not visible.
  @inlinable @inline(__always)
  package func statement(_ sql: StatementText) throws(DatabaseError) -> Statement {
    if !isUnrecorded { return try otherStatement(sql) }
    // Only a connection has a read transaction.
    return try connection.unsafelyUnwrapped.statement(sql)
  }

  @usableFromInline @inline(never)
  func otherStatement(_ sql: StatementText) throws(DatabaseError) -> Statement {
    if let deferred { return try deferred.statement(sql) }
    recorder?.statementDidBegin()
    if isReading, let connection { return try connection.statement(sql) }
    if let blocking { return blocking.statement(sql) }
    try beginRead()
    return try connection.unsafelyUnwrapped.statement(sql)
  }

  /// Only without `deferred` and `blocking`.
  private func beginRead() throws(DatabaseError) {
    var isKept = false
    // Optional chaining, because a name would retain them for each request.
    if let version = versions?.current {
      isKept = keptVersion == version
      if isKept {
        keptVersion = nil
      } else {
        releaseSnapshot()
        // Read before the snapshot is taken, which may therefore be newer, but never older.
        versionAtBegin = version
      }
    }
    try connection?.beginRead(steps: steps, isKept: isKept)
    isReading = true
  }

  /// Ends the reading of a request, or its reading before a write. Costs nothing if nothing was read. The next request
  /// sees every write whose caller got its result before the request begins.
  package func endRead() {
    if recorder != nil { recorder = nil }
    // A response can be too long for the loop although nothing was read for it.
    if !isReading, let connection { connection.budget.isOverdue = false }
    if let deferred { return deferred.endRead() }
    if let blocking { return blocking.endRead() }
    guard isReading else { return }
    isReading = false
    if connection?.endRead(keepingSnapshot: versions != nil) == true { keptVersion = versionAtBegin }
  }

  /// Ends all reading at the end of a turn of the loop whose requests share this reader.
  ///
  /// A request that suspends should end its reading before. If it does not, the others would read its snapshot until it
  /// continues, whatever is committed meanwhile.
  func turnDidEnd() {
    if isReading { endRead() }
    releaseSnapshot()
  }

  /// Ends a transaction that has been kept open. The log cannot be emptied while it is open.
  private func releaseSnapshot() {
    guard keptVersion != nil else { return }
    keptVersion = nil
    connection?.endRead()
  }

  /// Whether the transaction has used its whole budget (`DatabaseLimits.readSteps`, `postgreSQL.rows`).
  package var isExhausted: Bool {
    connection?.budget.isExhausted ?? deferred?.isExhausted ?? blocking?.isExhausted ?? false
  }

  /// Whether the transaction was stopped because the write-ahead log had to be emptied. It can be repeated.
  package var isRecalled: Bool { connection?.budget.isRecalled ?? false }

  /// Whether the transaction has used its budget on the loop. Its statements then fail, and the execution moves to a
  /// thread without a time limit.
  @inlinable package var isOverdue: Bool {
    get {
      if let connection, connection.budget.isOverdue { return true }
      return deferred?.turn.isOverdue ?? false
    }
    set {
      if let connection { connection.budget.isOverdue = newValue }
      deferred?.turn.isOverdue = newValue
    }
  }

  /// Whether the time limit of the loop is suspended, for work that cannot move to another thread.
  package var hasNoTimeLimit: Bool {
    get { deferred?.turn.hasNoTimeLimit ?? connection?.budget.hasNoTimeLimit ?? false }
    set {
      if let connection { connection.budget.hasNoTimeLimit = newValue }
      deferred?.turn.hasNoTimeLimit = newValue
    }
  }

  /// Reads the clock, for work outside of the database, and returns whether the transaction is overdue. The time is
  /// measured from the first call, or from the last answer of another process.
  package func checkTime() -> Bool {
    if let deferred { return deferred.turn.look() }
    return isReading && connection?.budget.look() ?? false
  }

  /// Runs full-text searches, whose cost is not reflected in steps of SQLite's virtual machine.
  package func searching<Result>(_ body: () throws -> Result) throws -> Result {
    if let deferred {
      deferred.isSearching = true
      defer { deferred.isSearching = false }
      return try body()
    }
    guard let connection else { return try body() }
    if !isReading { try beginRead() }
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

  /// Whether a statement of the pass had no answer yet. What depends on its rows need not be read in this pass.
  package var isWaiting: Bool { deferred?.isWaiting ?? false }

  /// Returns when all statements that had no answer are answered. Returns false if the snapshot is lost: then nothing
  /// that was read counts, and the caller begins again after `endRead()`.
  ///
  /// - Parameter canBeginAgain: Whether the caller can do that. Only then the snapshot can be lost, because requests of
  ///   other callers share it.
  package func answers(canBeginAgain: Bool = false) async -> Bool {
    await deferred?.answers(canBeginAgain: canBeginAgain) ?? true
  }

  /// Calls `body`, which makes a check that every request makes, such as that of its session. Its statements are
  /// answered although the request is overdue and moves to another thread afterwards. They are not a part of the
  /// versioned read.
  package func checking<Result>(_ body: () throws -> Result) rethrows -> Result {
    try deferred?.checking(body) ?? body()
  }

  /// Calls `body`, whose statements are answered by the next `answers()`, before they are needed.
  package func askAhead(_ body: () -> Void) { deferred?.askAhead(body) }

  /// Releases the answers that the passes so far needed, but not those that were asked for ahead since the last call.
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
