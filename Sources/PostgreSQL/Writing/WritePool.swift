import Basics
import Synchronization

/// Connections on which writes are executed, each with a thread of its own, so that no loop waits for the server.
///
/// A write is a SERIALIZABLE transaction that is executed until it is committed. When it conflicts with another one,
/// its body runs again; from the second time on under locks, so that every write is done. When the connection is lost
/// while it is committed, a token that the transaction wrote tells whether it was, so that no write is lost or done
/// twice.
package final class WritePool: Sendable {
  private struct Job: Sendable {
    let deadline: ContinuousClock.Instant
    let run: @Sendable (WriteWorker) -> Void
    let fail: @Sendable (PostgreSQLError) -> Void
  }

  private let options: WritePoolOptions
  private let queue: BlockingQueue<Job>
  private let end: PoolEnd
  package let counts = WriteCounts()

  /// Starts the threads. Connections are opened when they are first needed.
  package init(_ connectionOptions: ConnectionOptions, _ options: WritePoolOptions = WritePoolOptions()) throws {
    self.options = options
    queue = BlockingQueue(limit: options.queuedWrites)
    end = PoolEnd(threads: options.connections)
    let connector = Connector(connectionOptions)
    for started in 0..<options.connections {
      do {
        try SystemThread(name: "writer-\(started)") { [queue, end, counts] in
          Self.runJobs(of: queue, on: WriteWorker(connector, options, counts), counts)
          // The connection is closed.
          end.threadHasEnded()
        }.detach()
      } catch {
        queue.close()
        throw error
      }
    }
  }

  deinit { queue.close() }

  private static func runJobs(of queue: BlockingQueue<Job>, on worker: consuming WriteWorker, _ counts: WriteCounts) {
    let worker = worker
    while let jobs = queue.next(atMost: 1) {
      for job in jobs { run(job, on: worker, counts) }
    }
  }

  private static func run(_ job: Job, on worker: WriteWorker, _ counts: WriteCounts) {
    guard ContinuousClock.now < job.deadline else {
      counts.add(\.rejected)
      return job.fail(PostgreSQLError(.overloaded, "No connection for a write became free in time."))
    }
    job.run(worker)
  }

  /// Runs `body` in a transaction and returns its result once the transaction is committed.
  ///
  /// `body` runs again when its transaction conflicts with another one, or when the connection was lost. It must
  /// therefore have no effect other than on the database; other effects belong in `afterCommit`. If it throws, its
  /// changes are rolled back and the error is rethrown. A queued write runs even if its caller is cancelled.
  ///
  /// Throws `overloaded` if too many writes are waiting, if no connection becomes free, or if conflicts go on for too
  /// long; `unknownOutcome` if the connection was lost during COMMIT and no server answers; `closed` after `close()`.
  package func write<Value: Sendable>(
    about domain: WriteDomain,
    _ body: @escaping @Sendable (ServerTransaction) throws -> Value
  ) async throws -> Value {
    try await onWorker { worker in try worker.write(about: domain, body) }
  }

  /// Deletes the tokens of commits that can no longer be in doubt, and returns their number. Must be called now and
  /// then, since each write leaves a token. It is not a SERIALIZABLE transaction, because it would conflict with all
  /// writes.
  @discardableResult
  package func removeOldTokens() async throws -> Int {
    try await onWorker { worker in try worker.execute(CommitToken.sweep).changedRows }
  }

  /// Throws if the database server does not answer.
  package func probe() async throws {
    try await onWorker { worker in _ = try worker.execute(ServerStatement("SELECT 1")) }
  }

  private func onWorker<Value: Sendable>(_ work: @escaping @Sendable (WriteWorker) throws -> Value) async throws
    -> Value
  {
    try await withCheckedThrowingContinuation { caller in
      let job = Job(
        deadline: .now + .milliseconds(options.patience),
        run: { worker in caller.resume(with: Result { try work(worker) }) },
        fail: { error in caller.resume(throwing: error) }
      )
      do throws(BlockingQueue<Job>.Rejection) {
        try queue.append(job)
      } catch {
        switch error {
        case .closed: job.fail(PostgreSQLError(.closed, "The database is closed."))
        case .full:
          counts.add(\.rejected)
          job.fail(PostgreSQLError(.overloaded, "\(options.queuedWrites) writes are waiting already."))
        }
      }
    }
  }

  /// The number of writes that wait for a connection.
  package var waitingWrites: Int { queue.count }

  /// Rejects further writes, waits for the queued ones and closes the connections.
  package func close() async {
    queue.close()
    await end.wait()
  }
}

/// Lets callers wait until all threads of a pool have ended.
private final class PoolEnd: Sendable {
  private struct State {
    var threads: Int
    var callers: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  init(threads: Int) { state = Mutex(State(threads: threads)) }

  func threadHasEnded() {
    let callers = state.withLock { state in
      state.threads -= 1
      return state.threads == 0 ? state.callers : []
    }
    for caller in callers { caller.resume() }
  }

  func wait() async {
    await withCheckedContinuation { caller in
      let isOver = state.withLock { state in
        if state.threads > 0 { state.callers.append(caller) }
        return state.threads == 0
      }
      if isOver { caller.resume() }
    }
  }
}
