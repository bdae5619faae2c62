import Basics
import CSQLite

/// The one writer: takes what is queued, runs it in one transaction, commits, and then answers. A commit waits for the
/// disk, so what is shared between thirty-two writes costs each of them a thirty-second.
final class Writer {
  private let connection: Connection
  private let reader: Reader
  private let queue: WriteQueue
  private let limits: DatabaseLimits
  private let announce: Database.Announce
  private let guardian: CommitGuard
  private var checkpointer: Checkpointer
  private let health: DatabaseHealth
  private let path: String
  /// Whether it is recorded that the log has commits which the file may not have (`UseRecord`).
  private var isInUse = false

  private init(
    connection: Connection,
    queue: WriteQueue,
    limits: DatabaseLimits,
    health: DatabaseHealth,
    path: String,
    announce: @escaping Database.Announce
  ) {
    self.health = health
    self.path = path
    self.announce = announce
    self.connection = connection
    self.queue = queue
    self.limits = limits
    reader = Reader(within: connection)
    guardian = CommitGuard(of: connection.handle)
    checkpointer = Checkpointer(of: connection, after: limits.checkpointPages)
  }

  /// Starts the thread, which has the connection from then on and ends when the queue is closed and empty.
  static func start(
    on connection: sending Connection,
    queue: WriteQueue,
    limits: DatabaseLimits,
    health: DatabaseHealth,
    path: String,
    announce: @escaping Database.Announce
  ) throws(DatabaseError) {
    // The thread alone uses the writer, and releases it.
    nonisolated(unsafe) let writer = Unmanaged.passRetained(
      Writer(
        connection: connection,
        queue: queue,
        limits: limits,
        health: health,
        path: path,
        announce: announce
      )
    )
    do throws(SystemThread.StartError) {
      let thread = try SystemThread(name: "sqlite-writer") {
        // In a statement of its own, so that the connection is closed before the end is reported.
        writer.takeRetainedValue().run()
        queue.writerHasEnded()
      }
      thread.detach()
    } catch {
      writer.release()
      throw DatabaseError(.inputOutput, "Cannot start the writer's thread (error \(error.code)).")
    }
  }

  private func run() {
    while let group = queue.next() {
      commit(group)
      // When it is not recorded, the next start checks the file's pages: no more than time is lost.
      if checkpointer.checkpointIfDue(), isInUse { try? record(.open) }
    }
    finish()
  }

  /// Empties the log into the file and records that. In this order: a process that is killed between the steps leaves
  /// either a log with all its commits, or the record that it is not needed.
  private func finish() {
    guard checkpointer.copyAll(), (try? health.requireFilesInPlace()) != nil, (try? record(.closed)) != nil else {
      // The log stays, for the next start.
      connection.keepsLogWhenClosed()
      return
    }
    health.logIsNotNeeded()
    checkpointer.truncate()
  }

  private func record(_ use: UseRecord.Use) throws(DatabaseError) {
    guard let status = FileStatus(of: path) else {
      throw DatabaseError(.moved, "\(path) has been moved or deleted while it is open.")
    }
    try UseRecord(use, status).write(beside: path)
  }

  /// Before the first write: puts a commit into the log, which from then on is never empty, and records that it is
  /// needed. What is acknowledged afterwards cannot be lost with the log without being noticed.
  private func beginUse() throws(DatabaseError) {
    guard !isInUse else { return }
    guardian.isOpen = true
    defer { guardian.isOpen = false }
    try connection.touch()
    health.logIsOpen()
    try record(.open)
    isInUse = true
  }

  private func commit(_ group: [PendingWrite]) {
    do throws(DatabaseError) {
      connection.budget.allowAll()
      try health.requireFilesInPlace()
      try beginUse()
      try connection.execute(.beginImmediate)
    } catch {
      health.writeFailed(error)
      for write in group { write.refuse(error) }
      return
    }
    var outcomes: [PendingWrite.Outcome] = []
    outcomes.reserveCapacity(group.count)
    var whenCommitted: [() -> Void] = []
    var news: [any Sendable] = []
    for (index, write) in group.enumerated() {
      let transaction = WriteTransaction(reader: reader)
      let (outcome, isLost) = run(write, in: transaction, sharing: group.count > 1)
      if isLost {
        // SQLite has rolled back everything, the others' work too: they are run again, each alone, so that nobody is
        // made to try more than twice whatever its neighbours do.
        if let error = outcome.error as? DatabaseError { health.writeFailed(error) }
        outcome.answer(outcome.error == nil ? DatabaseError(.transactionLost, "The transaction was rolled back.") : nil)
        for (other, write) in group.enumerated() where other != index { commit([write]) }
        return
      }
      if outcome.error == nil {
        whenCommitted.append(contentsOf: transaction.whenCommitted)
        news.append(contentsOf: transaction.news)
      } else if let error = outcome.error as? DatabaseError {
        health.writeFailed(error)
      }
      outcomes.append(outcome)
    }
    let commits = checkpointer.commits
    let failure = commitTransaction()
    if let failure { health.writeFailed(failure) } else if checkpointer.commits != commits { health.writeSucceeded() }
    if failure == nil {
      for action in whenCommitted { action() }
      if !news.isEmpty { announce(news) }
    }
    for outcome in outcomes { outcome.answer(failure) }
  }

  /// Runs one body; when it fails, what it did is undone and what the others did stands. Alone in its transaction it
  /// needs no savepoint.
  private func run(
    _ write: PendingWrite,
    in transaction: WriteTransaction,
    sharing isShared: Bool
  ) -> (PendingWrite.Outcome, isLost: Bool) {
    do throws(DatabaseError) {
      if isShared { try connection.execute(.savepoint) }
      connection.budget.allow(limits.writeSteps)
      var outcome = write.run(transaction)
      connection.budget.allowAll()
      connection.finishRunningStatements()
      guard connection.isInTransaction else { return (outcome, true) }
      if outcome.error == nil, hasDeferredViolation {
        let error = DatabaseError(.foreignKey, "A deferred FOREIGN KEY constraint failed.")
        outcome = PendingWrite.Outcome(error: error, answer: { [answer = outcome.answer] in answer($0 ?? error) })
      }
      if isShared {
        if outcome.error != nil { try connection.execute(.rollbackToSavepoint) }
        try connection.execute(.release)
      } else if outcome.error != nil {
        try connection.execute(.rollback)
      }
      return (outcome, false)
    } catch {
      // The savepoint itself failed, for want of memory or disk.
      if connection.isInTransaction { try? connection.execute(.rollback) }
      return (PendingWrite.Outcome(error: error, answer: { write.refuse($0 ?? error) }), true)
    }
  }

  /// A deferred constraint is otherwise looked at by COMMIT alone, which would fail for everyone in the group.
  private var hasDeferredViolation: Bool {
    var current: Int32 = 0
    var highest: Int32 = 0
    sqlite3_db_status(connection.handle, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &highest, 0)
    return current != 0
  }

  private func commitTransaction() -> DatabaseError? {
    // A body that failed alone has been rolled back.
    guard connection.isInTransaction else { return nil }
    do throws(DatabaseError) {
      guardian.isOpen = true
      defer { guardian.isOpen = false }
      try connection.execute(.commit)
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
