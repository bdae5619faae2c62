import Basics

/// A connection on which writes are executed, with a thread of its own, so that no loop waits for the server.
///
/// A write is a SERIALIZABLE transaction that is executed until it is committed. When it conflicts with one of another
/// writer, its body runs again; from the second time on under locks, so that every write is done. When the connection
/// is lost while it is committed, a token that the transaction wrote shows whether it was, so that no write is lost or
/// done twice.
package final class ServerWriter: Sendable {
  private let options: ServerWriterOptions
  private let jobs: WriteJobs
  private let end = ThreadEnd()
  package let counts = WriteCounts()

  /// Starts the thread. The connection is opened when it is first needed.
  package init(_ connection: ConnectionOptions, options: ServerWriterOptions = ServerWriterOptions()) throws {
    self.options = options
    let jobs = WriteJobs(limit: options.queuedWrites, counts)
    self.jobs = jobs
    let connector = Connector(connection)
    try SystemThread.startDetached(name: "server-writer") { [counts, end] in
      Self.run(jobs, on: WriteWorker(connector, options: options, counts: counts), atMost: options.groupedWrites)
      // The connection is closed.
      end.threadHasEnded()
    }
  }

  deinit { jobs.close() }

  private static func run(_ jobs: WriteJobs, on worker: consuming WriteWorker, atMost groupLimit: Int) {
    let worker = worker
    while let taken = jobs.next(atMost: groupLimit) {
      let group = Self.group(of: taken, isOrdered: worker.counts.values.retried > 0)
      let others = group.count > 1 ? taken.dropFirst(group.count) : taken.dropFirst()
      // In the queue they can be rejected when they have waited too long.
      jobs.putBack(Array(others))
      if group.count > 1 {
        let writes = group.compactMap(\.groupable)
        guard case .repeatInGroups(ofAtMost: let limit) = worker.runGroup(writes) else { continue }
        jobs.putBack(group.dropFirst(limit == 1 ? 1 : 0).map { $0.limited(to: limit) })
        if limit == 1 { Self.run(group[0], of: jobs, on: worker) }
      } else if let job = taken.first {
        Self.run(job, of: jobs, on: worker)
      }
    }
  }

  /// Runs one job. A write that has waited for a lock for too long is run again after the other jobs, which it
  /// would delay otherwise. Waiting writes have no order, also those of one family: their callers run at the same time.
  private static func run(_ job: WriteJob, of jobs: WriteJobs, on worker: WriteWorker) {
    switch job.work {
    case .write(let write):
      guard let conflicts = worker.run(write, after: job.conflicts) else { return }
      // Otherwise the write would be run again at once.
      if jobs.count == 0 { worker.wait(after: conflicts.count) }
      jobs.putBackLast(job.repeated(after: conflicts))
    case .other(let run): run(worker)
    }
  }

  /// The first jobs that can share a transaction.
  ///
  /// - Parameter isOrdered: whether they are in the order of what they are about, and not in that in which they came.
  ///   Groups of two writers then lock rows in the same order, and never wait for each other. It matters only where
  ///   groups have conflicted.
  private static func group(of jobs: [WriteJob], isOrdered: Bool) -> [WriteJob] {
    var limit = Int.max
    let count = jobs.indices.first { index in
      limit = min(limit, jobs[index].groupLimit)
      return jobs[index].groupable == nil || index >= limit
    }
    let group = jobs.prefix(count ?? jobs.count)
    return isOrdered ? group.sorted { $0.firstKey < $1.firstKey } : Array(group)
  }

  /// Runs `body` in a transaction, which it may share with other writes, and returns its result once the transaction is
  /// committed.
  ///
  /// `body` runs again when its transaction conflicts with another one, when the connection was lost, and when a
  /// statement of a write fails with which it shares the transaction. It must therefore have no effect other than on
  /// the database; other effects belong in `afterCommit`. If it throws, its changes are rolled back and the error is
  /// rethrown. A queued write runs even if its caller is cancelled.
  ///
  /// Throws `overloaded` if too many writes are waiting, if it has waited too long, or if conflicts go on for too long;
  /// `unknownOutcome` if the connection was lost during COMMIT and no server answers; `closed` after `close()`.
  package func write<Value: Sendable>(
    about domain: WriteDomain,
    _ body: @escaping @Sendable (ServerTransaction) throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { caller in
      let write = QueuedWrite(about: domain, body, resuming: caller)
      jobs.append(WriteJob(deadline: deadline, work: .write(write), fail: write.fail))
    }
  }

  /// Deletes the tokens of commits that can no longer be in doubt, and returns their number. Must be called now and
  /// then, since each write leaves a token. It is not a SERIALIZABLE transaction, because it would conflict with all
  /// writes.
  @discardableResult
  package func removeOldTokens() async throws(PostgreSQLError) -> Int {
    try await onWorker { worker throws(PostgreSQLError) in
      try worker.execute(CommitToken.sweep, isRepeatable: true).changedRows
    }
  }

  /// Executes a statement as a transaction of its own, which is not SERIALIZABLE, and returns what `read` makes of its
  /// rows.
  ///
  /// - Parameter isRepeatable: whether the statement can be executed twice. It is if the connection was lost meanwhile.
  package func execute<Value: Sendable>(
    _ statement: ServerStatement,
    _ parameters: ParameterBuffer = ParameterBuffer(),
    isRepeatable: Bool = false,
    _ read: @escaping @Sendable (ResultRows) -> Value
  ) async throws(PostgreSQLError) -> Value {
    try await onWorker { worker throws(PostgreSQLError) in
      read(try worker.execute(statement, parameters, isRepeatable: isRepeatable))
    }
  }

  /// Throws if the database server does not answer.
  package func probe() async throws(PostgreSQLError) {
    try await onWorker { worker throws(PostgreSQLError) in
      _ = try worker.execute(ServerStatement("SELECT 1"), isRepeatable: true)
    }
  }

  private func onWorker<Value: Sendable>(
    _ work: @escaping @Sendable (WriteWorker) throws(PostgreSQLError) -> Value
  ) async throws(PostgreSQLError) -> Value {
    let result: Result<Value, PostgreSQLError> = await withCheckedContinuation { caller in
      jobs.append(
        WriteJob(
          deadline: deadline,
          work: .other { worker in
            caller.resume(returning: Result { () throws(PostgreSQLError) in try work(worker) })
          },
          fail: { error in caller.resume(returning: .failure(error)) }
        )
      )
    }
    return try result.get()
  }

  private var deadline: ContinuousClock.Instant { .now + options.writeTimeout }

  /// The number of writes that wait for the connection.
  package var waitingWrites: Int { jobs.count }

  /// Rejects further writes, waits for the queued ones and closes the connection.
  package func close() async {
    jobs.close()
    await end.wait()
  }
}
