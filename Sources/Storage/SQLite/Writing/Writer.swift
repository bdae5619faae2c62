import Basics
import CSQLite

/// The only writer of a database. It takes queued writes, runs them in one transaction, commits, and then resumes their
/// callers (group commit). A commit waits for the disk: shared by thirty-two writes, it costs each of them a
/// thirty-second.
final class Writer {
  private let connection: Connection
  private let reader: Reader
  private let queue: WriteQueue
  private let limits: DatabaseLimits
  /// `DatabaseLimits.groupTime` in nanoseconds.
  private let groupTime: UInt64
  private let announce: Database.Announce
  private let guardian: CommitGuard
  private let partitions: PartitionChanges
  private var log: WriteAheadLog
  /// SQLite's number of the schema when the writer started.
  private let schemaVersion: Int64
  /// Whether a write has changed the schema since.
  private var hasOtherSchema = false
  private let health: DatabaseHealth
  private let commitDurations: Histogram
  /// How many of the next groups run each body in a savepoint. A body that fails sets it, so that writes that fail,
  /// however many a client sends, make at most one group of a hundred run twice.
  private var groupsWithSavepoints = 0
  private static let groupsAfterFailure = 100

  /// What a writer shares with its database.
  struct Environment {
    let path: String
    let queue: WriteQueue
    /// Reports when the writer's thread has ended.
    let end: ThreadEnd
    let limits: DatabaseLimits
    let health: DatabaseHealth
    let commitDurations: Histogram
    let versions: TableVersions
    let recall: SnapshotRecall
    let announce: Database.Announce
    /// See `DatabaseOpening.report`.
    let report: @Sendable (String) -> Void
  }

  private init(connection: Connection, in environment: Environment) throws(DatabaseError) {
    let versions = environment.versions
    schemaVersion = try connection.int64(of: "PRAGMA schema_version")
    commitDurations = environment.commitDurations
    health = environment.health
    announce = environment.announce
    self.connection = connection
    queue = environment.queue
    limits = environment.limits
    groupTime = limits.groupTime.nanoseconds
    reader = Reader(within: connection)
    guardian = CommitGuard(of: connection, versions: versions)
    partitions = try PartitionChanges(of: connection, in: versions.partitioned)
    log = WriteAheadLog(of: connection, guardian: guardian, in: environment)
  }

  /// Starts the writer's thread, which owns the connection and ends when the queue is closed and empty.
  static func start(on connection: sending Connection, in environment: Environment) throws(DatabaseError) {
    let end = environment.end
    // Only the new thread uses and releases the writer.
    nonisolated(unsafe) let writer = Unmanaged.passRetained(try Writer(connection: connection, in: environment))
    do throws(SystemThread.StartError) {
      try SystemThread.startDetached(name: "sqlite-writer") {
        // A separate statement, so that the connection is closed before the end is reported.
        writer.takeRetainedValue().run()
        end.threadHasEnded()
      }
    } catch {
      writer.release()
      throw DatabaseError(.inputOutput, message: "Cannot start the writer's thread (error \(error.code)).")
    }
  }

  private func run() {
    while let group = queue.next() {
      commit(group)
      log.shrinkIfDue()
    }
    log.finish()
  }

  private enum Attempt {
    /// The first writes of the group are answered, at least one. The others have not run.
    case answered(Int)
    /// A body of several has failed. Nothing is stored, and no write is answered.
    case failed
    /// SQLite has rolled back the transaction. Only the write of this index is answered, and those after it have not
    /// run.
    case lost(Int)
  }

  /// What the successful writes of a group leave to be done after the commit.
  private struct CommitEffects {
    private(set) var actions: [() -> Void] = []
    private(set) var events: [any Sendable] = []
    private(set) var emptiesLog = false

    mutating func append(effectsOf transaction: WriteTransaction) {
      actions.append(contentsOf: transaction.whenCommitted)
      events.append(contentsOf: transaction.published.events)
      emptiesLog = emptiesLog || transaction.emptiesLog
    }
  }

  /// Runs the bodies in one transaction. If one of several fails, they run again, each in a savepoint, and so do the
  /// next groups. Otherwise there are no savepoints: with one, SQLite copies each page that the body changes. Bodies
  /// that have not run when the group's time is over return to the queue.
  private func commit(_ group: [PendingWrite]) {
    let usesSavepoints = group.count > 1 && groupsWithSavepoints > 0
    if usesSavepoints { groupsWithSavepoints -= 1 }
    // The transactions of an attempt are released before the next one, and return what they had taken.
    switch attempt(group, usingSavepoints: usesSavepoints) {
    case .answered(let count): queue.putBack(group[count...])
    case .failed: commit(group)
    case .lost(let index):
      queue.putBack(group[(index + 1)...])
      // Each in its own transaction, so that no write runs again and again whatever the others do.
      for write in group[..<index] { commit([write]) }
    }
  }

  private func attempt(_ group: [PendingWrite], usingSavepoints: Bool) -> Attempt {
    do throws(DatabaseError) { try begin() } catch {
      health.writeFailed(error)
      for write in group { write.fail(error) }
      return .answered(group.count)
    }
    var outcomes: [PendingWrite.Outcome] = []
    outcomes.reserveCapacity(group.count)
    var effects = CommitEffects()
    let shared = WriteGroup()
    let start = MonotonicClock.nanoseconds
    for (index, write) in group.enumerated() {
      let transaction = WriteTransaction(reader: reader, of: shared)
      let (outcome, isLost) = run(write, in: transaction, usingSavepoint: usingSavepoints)
      if isLost {
        answerLost(outcome)
        return .lost(index)
      }
      if outcome.error != nil, group.count > 1 {
        groupsWithSavepoints = Self.groupsAfterFailure
        if !usingSavepoints { return .failed }
      }
      if outcome.error == nil {
        effects.append(effectsOf: transaction)
      } else if let error = outcome.error as? DatabaseError {
        health.writeFailed(error)
      }
      outcomes.append(outcome)
      if MonotonicClock.nanoseconds - start >= groupTime { break }
    }
    finish(shared, outcomes: outcomes, effects: effects)
    return .answered(outcomes.count)
  }

  private func begin() throws(DatabaseError) {
    connection.budget.allowAll()
    try health.requireFilesInPlace()
    try log.beginUse()
    connection.tableUse.begin()
    partitions.begin()
    try connection.execute(.beginImmediate)
  }

  private func answerLost(_ outcome: PendingWrite.Outcome) {
    if let error = outcome.error as? DatabaseError { health.writeFailed(error) }
    outcome.answer(
      outcome.error == nil ? DatabaseError(.transactionLost, message: "The transaction was rolled back.") : nil
    )
  }

  /// Commits what the bodies of a group have written, and answers the writes.
  private func finish(_ group: WriteGroup, outcomes: [PendingWrite.Outcome], effects: CommitEffects) {
    let commits = log.commits
    let failure = commitTransaction(of: outcomes.contains { $0.error == nil } ? group : nil)
    if let failure {
      health.writeFailed(failure)
    } else if log.commits != commits {
      log.noteCommit()
      health.writeSucceeded()
    }
    if failure == nil {
      if effects.emptiesLog { log.mustBeEmptied = true }
      for action in effects.actions { action() }
      if !effects.events.isEmpty { announce(effects.events) }
    }
    for outcome in outcomes { outcome.answer(failure) }
  }

  /// Runs one body. If it fails, the savepoint's changes are rolled back, or without one the whole transaction.
  private func run(
    _ write: PendingWrite,
    in transaction: WriteTransaction,
    usingSavepoint: Bool
  ) -> (PendingWrite.Outcome, isLost: Bool) {
    do throws(DatabaseError) {
      if usingSavepoint { try connection.execute(.savepoint) }
      connection.budget.allow(limits.writeSteps)
      var outcome = write.run(transaction)
      connection.budget.allowAll()
      guard connection.isInTransaction else { return (outcome, true) }
      if outcome.error == nil, hasDeferredViolation {
        let error = DatabaseError(.foreignKey, message: "A deferred FOREIGN KEY constraint failed.")
        outcome = PendingWrite.Outcome(error: error, answer: { [answer = outcome.answer] in answer($0 ?? error) })
      }
      if usingSavepoint {
        if outcome.error != nil { try connection.execute(.rollbackToSavepoint) }
        try connection.execute(.release)
      } else if outcome.error != nil {
        try connection.execute(.rollback)
      }
      return (outcome, false)
    } catch {
      // The savepoint itself failed, because memory or disk space ran out.
      if connection.isInTransaction { try? connection.execute(.rollback) }
      return (PendingWrite.Outcome(error: error, answer: { write.fail($0 ?? error) }), true)
    }
  }

  /// Whether a deferred constraint is violated. SQLite checks it at COMMIT only, which would fail for the entire group.
  private var hasDeferredViolation: Bool {
    var (current, highest): (Int32, Int32) = (0, 0)
    sqlite3_db_status(connection.handle, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &highest, 0)
    return current != 0
  }

  /// At least the tables that the transaction has changed. Statements that were prepared before the schema changed can
  /// change other tables afterwards, by new triggers and foreign keys: from then on, it is all tables.
  private var changedTables: TableSet {
    get throws(DatabaseError) {
      if connection.tableUse.tables == .all, !hasOtherSchema {
        hasOtherSchema = try connection.int64(of: "PRAGMA schema_version") != schemaVersion
      }
      return hasOtherSchema ? .all : connection.tableUse.tables
    }
  }

  /// - Parameter group: nil if no write has succeeded.
  private func commitTransaction(of group: WriteGroup?) -> DatabaseError? {
    // A body that was alone in its transaction and failed has already been rolled back.
    guard connection.isInTransaction else { return nil }
    do throws(DatabaseError) {
      if let group { try group.collected?.write(in: WriteTransaction(reader: reader, of: group)) }
      let start = MonotonicClock.nanoseconds
      try guardian.commit(changing: try changedTables, partitions: partitions.changed) { () throws(DatabaseError) in
        try connection.execute(.commit)
      }
      commitDurations.record(nanoseconds: MonotonicClock.nanoseconds - start)
      return nil
    } catch {
      if connection.isInTransaction { try? connection.execute(.rollback) }
      return error
    }
  }
}

extension StatementText {
  static let beginImmediate = StatementText("BEGIN IMMEDIATE")
  static let savepoint = StatementText("SAVEPOINT body")
  static let rollbackToSavepoint = StatementText("ROLLBACK TO body")
  static let release = StatementText("RELEASE body")
}
