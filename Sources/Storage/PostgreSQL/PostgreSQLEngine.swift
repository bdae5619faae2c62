import Basics
import PostgreSQL
import Synchronization

/// A PostgreSQL database: connections of the loops for reading, and one connection for writing, whose thread runs one
/// write after the other.
///
/// One connection writes, because the numbers of keys and the positions of events come from one row (`sequence`), which
/// has to be in the order of the commits.
final class PostgreSQLEngine: Sendable {
  /// The key of the advisory lock of the process that writes: the ASCII codes of "hearth", in capitals.
  private static let lock: Int64 = 79_462_285_857_864

  private let limits: DatabaseLimits
  private let readConnector: Connector
  private let threadConnector: Connector
  private let pool: WritePool
  private let announce: Database.Announce
  private let state = Mutex(State())
  /// Deletes the tokens of commits, as long as the database is open.
  private let sweeping = Mutex<Task<Void, Never>?>(nil)
  private static let sweepInterval = Duration.seconds(300)

  private struct State {
    var failure: DatabaseError?
    /// When the server last answered the connection for writes, or was asked.
    var askedAt = ContinuousClock.now
  }

  private static let probeInterval = Duration.seconds(1)

  init(
    _ server: ServerDatabase,
    _ limits: DatabaseLimits,
    commitDurations: Histogram,
    announce: @escaping Database.Announce
  ) throws {
    self.limits = limits
    self.announce = announce
    var reading = server.options
    reading.statementTimeout = limits.serverReadTime
    readConnector = Connector(reading)
    var writing = server.options
    writing.statementTimeout = limits.serverStatementTime
    threadConnector = Connector(writing)
    var options = WritePoolOptions()
    options.connections = 1
    options.queuedWrites = limits.queuedWrites
    options.recovery = limits.serverRecoveryTime
    options.exclusiveLock = Self.lock
    options.commitDurations = commitDurations
    pool = try WritePool(writing, options)
  }

  deinit { sweeping.withLock { $0?.cancel() } }

  /// Opens the connection for writes. Throws `inUse` if another process has one.
  func start() async throws {
    do {
      try await pool.probe()
    } catch let error as PostgreSQLError {
      await pool.close()
      throw DatabaseError(error)
    }
    let pool = pool
    sweeping.withLock { task in
      task = Task {
        while (try? await Task.sleep(for: Self.sweepInterval)) != nil { _ = try? await pool.removeOldTokens() }
      }
    }
  }

  // MARK: Reading

  func makeReader() -> Reader { Reader(BlockingReads(BlockingSnapshot(threadConnector))) }

  func makeLoopReaders(on loop: any DescriptorWatcher) -> LoopReaders {
    let connections = LoopConnections(readConnector, on: loop, limit: limits.serverConnectionsPerLoop)
    let limits = limits
    return LoopReaders(connections) { [weak self] in
      Reader(DeferredReads(PipelineAnswers(connections, limits) { error in self?.note(error) }))
    }
  }

  // MARK: Writing

  var waitingWrites: Int { pool.waitingWrites }

  func write<Value: Sendable>(
    _ body: @escaping @Sendable (WriteTransaction) throws -> Value
  ) async throws -> Value {
    let announce = announce
    do {
      let value = try await pool.write(about: WriteDomain()) { server in
        let transaction = WriteTransaction(on: server)
        let value = try body(transaction)
        let (actions, events) = (transaction.whenCommitted, transaction.publishedEvents)
        server.afterCommit {
          for action in actions { action() }
          if !events.isEmpty { announce(events) }
        }
        return value
      }
      noteSuccess()
      return value
    } catch let error as PostgreSQLError {
      let error = DatabaseError(error)
      note(error)
      throw error
    }
  }

  private func note(_ error: DatabaseError) {
    switch error.code {
    case .unreachable, .unknownOutcome, .full, .inputOutput, .inUse: state.withLock { $0.failure = error }
    default: break
    }
  }

  private func noteSuccess() {
    state.withLock { state in
      state.failure = nil
      state.askedAt = .now
    }
  }

  /// Why writes, or reads, failed last. Without writes the server is asked, at most once a second, and the next call
  /// knows its answer.
  var writeFailure: DatabaseError? {
    let (failure, isDue) = state.withLock { state in
      let now = ContinuousClock.now
      let isDue = state.failure == nil && now - state.askedAt >= Self.probeInterval
      if isDue { state.askedAt = now }
      return (state.failure, isDue)
    }
    if isDue {
      Task {
        do { try await pool.probe() } catch let error as PostgreSQLError { note(DatabaseError(error)) } catch {}
      }
    }
    return failure
  }

  func close() async {
    sweeping.withLock { $0?.cancel() }
    await pool.close()
  }
}
