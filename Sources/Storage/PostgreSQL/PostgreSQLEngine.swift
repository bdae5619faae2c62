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
  private static let lock: Int64 = 79_463_779_624_008

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
    var serverVersion = 0
  }

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
    options.exclusiveLock = Self.lock
    options.commitDurations = commitDurations
    pool = try WritePool(writing, options)
  }

  deinit { sweeping.withLock { $0?.cancel() } }

  /// Opens the connection for writes. Throws `inUse` if another process has one.
  func start() async throws {
    do {
      let version = try await pool.write(about: WriteDomain()) { transaction in
        try transaction.rows(ServerStatement("SELECT current_setting('server_version_num')::bigint")).int64(0, 0)
      }
      state.withLock { $0.serverVersion = Int(version) }
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

  /// As in "15.18".
  var serverVersion: String {
    let number = state.withLock { $0.serverVersion }
    return "\(number / 10_000).\(number % 10_000)"
  }

  // MARK: Reading

  func makeReader() -> Reader { Reader(BlockingReads(BlockingSnapshot(threadConnector))) }

  func makeLoopReaders(on loop: any DescriptorWatcher) -> LoopReaders {
    let connections = LoopConnections(readConnector, on: loop, limit: limits.serverConnectionsPerLoop)
    let limits = limits
    return LoopReaders(connections) {
      Reader(DeferredReads(PipelineAnswers(connections, limits)))
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
      state.withLock { $0.failure = nil }
      return value
    } catch let error as PostgreSQLError {
      let error = DatabaseError(error)
      switch error.code {
      case .unreachable, .unknownOutcome, .full, .inputOutput, .inUse: state.withLock { $0.failure = error }
      default: break
      }
      throw error
    }
  }

  var writeFailure: DatabaseError? { state.withLock { $0.failure } }

  func close() async {
    sweeping.withLock { $0?.cancel() }
    await pool.close()
  }
}
