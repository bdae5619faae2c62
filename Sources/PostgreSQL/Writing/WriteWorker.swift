import Basics
import Glibc

/// What the thread of a `ServerWriter` does: it runs one write after the other, or groups of writes, and opens the
/// connection again when it was lost.
final class WriteWorker {
  private let connector: Connector
  private let options: ServerWriterOptions
  let counts: WriteCounts
  private var connection: BlockingConnection?
  /// Until then, groups begin with the locks of what their writes are about.
  private var contendedUntil = ContinuousClock.now

  /// How long after a conflict. A group without locks that conflicts is run again, and a group with locks needs
  /// another round trip.
  private static let contention = Duration.seconds(1)

  init(_ connector: Connector, options: ServerWriterOptions, counts: WriteCounts) {
    self.connector = connector
    self.options = options
    self.counts = counts
  }

  /// What a body returned, and the actions that follow the commit.
  private struct Done {
    let outcome: QueuedWrite.Outcome
    let whenCommitted: [() -> Void]
  }

  /// The end of one execution of a body.
  private enum Attempt {
    case committed(Done)
    /// The body threw an error of its own. Its changes are rolled back.
    case thrown(any Error)
    /// The server rolled the transaction back.
    case rejected(PostgreSQLError)
    /// The connection was lost, or leads to a server that cannot write. If COMMIT was sent, the outcome is in doubt.
    case lost(PostgreSQLError, inDoubt: Done?)
  }

  /// Runs a write in a transaction of its own until it is committed or has failed for good, and answers it. Returns its
  /// conflicts if it waited for a lock for too long: then it must be run again, unless it is too late.
  ///
  /// - Parameter earlier: what an earlier call has returned.
  func run(_ write: QueuedWrite, after earlier: WriteConflicts?) -> WriteConflicts? {
    var conflicts = earlier ?? WriteConflicts(end: .now + options.writeTimeout)
    do {
      guard let outcome = try complete(write, counting: &conflicts) else { return conflicts }
      outcome.answer()
    } catch {
      write.fail(error)
    }
    return nil
  }

  /// Returns nil if the write waited for a lock for too long.
  private func complete(_ write: QueuedWrite, counting conflicts: inout WriteConflicts) throws -> QueuedWrite.Outcome? {
    let recovery = Deadline(after: options.writeTimeout + options.recoveryTimeout)
    var losses = 0
    while true {
      let token = CommitToken()
      switch attempt(write, token: token, after: conflicts.count) {
      case .committed(let done):
        return finish(done)
      case .thrown(let error):
        throw error
      case .rejected(let error):
        guard error.isConflict || error.mayBeConflict && !conflicts.hasViolation else { throw error }
        if !error.isConflict { conflicts.hasViolation = true }
        guard ContinuousClock.now < conflicts.end else {
          throw PostgreSQLError(
            .overloaded,
            message: "Too many writes conflict: \(error.message)",
            sqlState: error.sqlState
          )
        }
        conflicts.count += 1
        counts.add(\.retried)
        if error.isLockTimeout { return nil }
        wait(after: conflicts.count)
      case .lost(let error, let done):
        connection = nil
        if let done {
          counts.add(\.inDoubt)
          if try wasCommitted(token, before: recovery) { return finish(done) }
        }
        guard !recovery.isOver else { throw error }
        counts.add(\.reconnected)
        losses += 1
        wait(after: losses)
      }
    }
  }

  /// Executes a statement by itself, outside of the order of SERIALIZABLE transactions.
  ///
  /// - Parameter isRepeatable: whether it can be executed twice. Then it is executed again on a new connection if the
  ///   connection was lost, as the server may have closed it since its last use.
  func execute(
    _ statement: ServerStatement,
    _ parameters: ParameterBuffer = ParameterBuffer(),
    isRepeatable: Bool = false
  ) throws(PostgreSQLError) -> ResultRows {
    do throws(PostgreSQLError) {
      return try open().run(statement, parameters)
    } catch {
      if error.needsOtherConnection { connection = nil }
      guard isRepeatable, error.code == .connectionLost else { throw error }
    }
    return try execute(statement, parameters)
  }

  private func finish(_ done: Done) -> QueuedWrite.Outcome {
    counts.add(\.committed)
    for action in done.whenCommitted { action() }
    return done.outcome
  }

  /// Executes a body once.
  private func attempt(_ write: QueuedWrite, token: CommitToken, after conflicts: Int) -> Attempt {
    let transaction: ServerTransaction
    do throws(PostgreSQLError) {
      let connection = try open()
      try AdvisoryLocks.take(write.domain, after: conflicts, on: connection)
      transaction = makeTransaction(on: connection, token)
    } catch {
      // Some of the locks may have been taken.
      unlock(write.domain, after: conflicts)
      return Self.end(after: error)
    }
    defer { unlock(write.domain, after: conflicts) }
    let outcome = write.run(transaction)
    if let error = outcome.error {
      // An error of a statement decides, also if the body replaced it by another.
      guard let failure = transaction.failure else {
        sendRollback()
        return .thrown(error)
      }
      sendRollback()
      return Self.end(after: failure)
    }
    let done = Done(outcome: outcome, whenCommitted: transaction.whenCommitted)
    do throws(PostgreSQLError) {
      try commit(transaction)
    } catch {
      if error.isFatal, transaction.isCommitting { return .lost(error, inDoubt: done) }
      sendRollback()
      return Self.end(after: error)
    }
    return .committed(done)
  }

  private static func end(after error: PostgreSQLError) -> Attempt {
    error.needsOtherConnection ? .lost(error, inDoubt: nil) : .rejected(error)
  }

  private func makeTransaction(on connection: BlockingConnection, _ token: CommitToken) -> ServerTransaction {
    ServerTransaction(on: connection, token: token, takesNumbers: options.takesNumbers)
  }

  private func commit(_ transaction: ServerTransaction) throws(PostgreSQLError) {
    let start = ContinuousClock.now
    try transaction.commit()
    options.commitDurations?.record(nanoseconds: (ContinuousClock.now - start).nanoseconds)
  }

  // MARK: Group commit

  /// Runs the bodies of several writes in one transaction, one after the other, and answers the writes once it is
  /// committed.
  func runGroup(_ group: [QueuedWrite]) -> GroupResult {
    guard ContinuousClock.now < contendedUntil else { return runGroup(group, holdsLocks: false) }
    let domain = WriteDomain(group.flatMap(\.domain.keys))
    defer { unlock(domain, after: 1) }
    do throws(PostgreSQLError) {
      try AdvisoryLocks.take(domain, after: 1, on: try open())
    } catch {
      return undo(group, after: error, holdsLocks: true, hasBegun: false)
    }
    return runGroup(group, holdsLocks: true)
  }

  /// - Parameter holdsLocks: whether it holds the locks of what the writes are about. Then no other group changes that,
  ///   unless it has no locks.
  private func runGroup(_ group: [QueuedWrite], holdsLocks: Bool) -> GroupResult {
    let token = CommitToken()
    let transaction: ServerTransaction
    do throws(PostgreSQLError) {
      transaction = makeTransaction(on: try open(), token)
    } catch {
      if error.needsOtherConnection { connection = nil }
      return .repeatInGroups(ofAtMost: 1)
    }
    var outcomes: [QueuedWrite.Outcome] = []
    for write in group {
      outcomes.append(transaction.runPart(write))
      if let failure = transaction.failure { return undo(group, after: failure, holdsLocks: holdsLocks) }
    }
    do throws(PostgreSQLError) {
      try commit(transaction)
    } catch {
      guard error.isFatal, transaction.isCommitting else { return undo(group, after: error, holdsLocks: holdsLocks) }
      connection = nil
      counts.add(\.inDoubt)
      do throws(PostgreSQLError) {
        let recovery = Deadline(after: options.writeTimeout + options.recoveryTimeout)
        guard try wasCommitted(token, before: recovery) else {
          return undo(group, after: error, holdsLocks: holdsLocks)
        }
      } catch let unknown {
        // Nothing of a body that threw is stored. What it threw can be due to writes before it, which may not be
        // stored.
        for (write, outcome) in zip(group, outcomes) { write.fail(outcome.error == nil ? unknown : error) }
        return .answered
      }
    }
    for outcome in outcomes where outcome.error == nil { counts.add(\.committed) }
    for action in transaction.whenCommitted { action() }
    for outcome in outcomes { outcome.answer() }
    return .answered
  }

  /// Rolls back a transaction that several writes share, and returns how many may share the next one.
  ///
  /// When a statement fails, which is sent with statements of other writes, it is not known whose it was, and each
  /// write runs by itself. A conflict is less probable with the locks of what the writes are about, and in a smaller
  /// group. If a row stays locked although the group has these locks, a smaller group would wait for it just as long.
  ///
  /// - Parameter hasBegun: whether statements of the writes were executed.
  private func undo(
    _ group: [QueuedWrite],
    after failure: PostgreSQLError,
    holdsLocks: Bool,
    hasBegun: Bool = true
  ) -> GroupResult {
    if failure.needsOtherConnection {
      connection = nil
      counts.add(\.reconnected)
      return .repeatInGroups(ofAtMost: 1)
    }
    sendRollback()
    guard failure.isConflict else { return .repeatInGroups(ofAtMost: 1) }
    counts.add(\.retried)
    contendedUntil = .now + Self.contention
    if failure.isLockTimeout, holdsLocks, hasBegun { return .repeatInGroups(ofAtMost: 1) }
    let canLock = !holdsLocks && group.contains { !$0.domain.keys.isEmpty }
    return .repeatInGroups(ofAtMost: canLock ? group.count : (group.count + 1) / 2)
  }

  // MARK: The connection

  /// The connection, opened again if it was lost.
  private func open() throws(PostgreSQLError) -> BlockingConnection {
    if let connection, connection.pipeline.failure == nil { return connection }
    let opened = BlockingConnection(try connector.connect(), timeout: options.batchTimeout)
    if let key = options.sharedLock { try AdvisoryLocks.share(key, on: opened) }
    connection = opened
    return opened
  }

  private func unlock(_ domain: WriteDomain, after conflicts: Int) {
    guard let batch = AdvisoryLocks.release(domain, after: conflicts) else { return }
    connection?.submit(batch)
  }

  private func sendRollback() {
    guard let connection, connection.pipeline.isInTransaction else { return }
    let batch = Batch()
    batch.append(.rollback)
    connection.submit(batch)
  }

  /// Finds out whether an interrupted COMMIT took effect, on a new connection.
  private func wasCommitted(_ token: CommitToken, before end: Deadline) throws(PostgreSQLError) -> Bool {
    var attempts = 0
    while true {
      do throws(PostgreSQLError) {
        return try token.wasCommitted(on: try open())
      } catch {
        connection = nil
        guard !end.isOver else {
          throw PostgreSQLError(
            .unknownOutcome,
            message:
              "The connection was lost during COMMIT, and no server answers that knows its outcome: \(error.message)"
          )
        }
      }
      attempts += 1
      wait(after: attempts)
    }
  }

  /// 2, 4, 8 … ms and up to as much again, at most 128 ms.
  func wait(after attempts: Int) {
    let least = UInt32(1) << UInt32(min(attempts, 6))
    usleep(UInt32.random(in: least...(2 * least)) * 1_000)
  }
}
