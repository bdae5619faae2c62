import Basics
import PostgreSQL
import Synchronization

/// A PostgreSQL database: connections of the loops for reading, and one connection for writing, whose thread runs one
/// write after the other. The writes that are waiting share a transaction, so that they wait for the disk together.
///
/// Several processes can write to a database. Nothing of its data is remembered from one transaction to the next.
final class PostgreSQLEngine: Sendable {
  /// The key of the advisory lock that the processes that write share: the ASCII codes of "hearth", in capitals.
  /// Earlier versions, which remember numbers of the database, hold it alone.
  static let lock: Int64 = 79_462_285_857_864

  private let limits: DatabaseLimits
  private let measuresStatements: Bool
  private let readConnector: Connector
  private let threadConnector: Connector
  private let writer: ServerWriter
  /// What the processes of the database share.
  let singleStatements: SingleStatements
  /// Nil if no hints are exchanged.
  private let channel: HintChannel?
  private let readCounts = ReadPoolCounts()
  private let readRoundTrips = RoundTripCounter()
  private let writeRoundTrips = RoundTripCounter()
  private let announce: Database.Announce
  /// See `DatabaseOpening.report`.
  private let report: @Sendable (String) -> Void
  /// Whether readers know versions of the data.
  private let hasVersions: Bool
  /// Not nil once the database is open, if readers know versions.
  private let catalog = Mutex<ServerCatalog?>(nil)
  private let health = ServerHealth()
  /// Deletes what is no longer needed, as long as the database is open.
  private let sweeping = Mutex<Task<Void, Never>?>(nil)

  /// Longer than commits take.
  private static let lockTimeout = Duration.milliseconds(250)

  init(
    _ server: PostgreSQLDatabase,
    limits: DatabaseLimits,
    measuresStatements: Bool,
    hasVersions: Bool,
    commitDurations: Histogram,
    hinted: Database.Hinted?,
    report: @escaping @Sendable (String) -> Void,
    announce: @escaping Database.Announce
  ) throws {
    self.limits = limits
    self.measuresStatements = measuresStatements
    self.hasVersions = hasVersions
    self.announce = announce
    self.report = report
    var reading = server.options
    reading.statementTimeout = limits.postgreSQL.readTime
    reading.roundTrips = readRoundTrips
    reading.measuresResults = measuresStatements
    readConnector = Connector(reading)
    reading.statementTimeout = limits.postgreSQL.statementTime
    threadConnector = Connector(reading)
    var writing = server.options
    writing.statementTimeout = limits.postgreSQL.statementTime
    writing.roundTrips = writeRoundTrips
    writing.usesGenericPlans = false
    let health = health
    singleStatements = try SingleStatements(writing, limits: limits) { error in
      if let error { health.note(error, of: .others) } else { health.noteSuccess(of: .others) }
    }
    // Transactions of two processes that change the same rows in different orders wait for each other. The server looks
    // for deadlocks only after a second.
    writing.lockTimeout = Self.lockTimeout
    writer = try ServerWriter(writing, options: Self.writerOptions(limits, commitDurations: commitDurations))
    channel = try hinted.map { hinted in
      try HintChannel(ConnectionOptions(parameters: server.options.parameters)) { report in
        switch report {
        case .gap: hinted(nil)
        case .hints(let hints):
          hinted(hints.map { hint, number in Database.Hint(kind: hint.kind, key: hint.key, number: number) })
        }
      }
    }
  }

  private static func writerOptions(_ limits: DatabaseLimits, commitDurations: Histogram) -> ServerWriterOptions {
    var options = ServerWriterOptions()
    options.groupedWrites = limits.postgreSQL.groupedWrites
    options.queuedWrites = limits.queuedWrites
    options.writeTimeout = limits.postgreSQL.connectionTimeout
    options.recoveryTimeout = limits.postgreSQL.recoveryTime
    options.batchTimeout = limits.postgreSQL.batchTime
    options.sharedLock = lock
    options.takesNumbers = true
    options.commitDurations = commitDurations
    return options
  }

  deinit { sweeping.withLock { $0?.cancel() } }

  /// Opens the connection for writes. Throws `inUse` if another process uses the database alone.
  func start() async throws {
    do throws(PostgreSQLError) {
      try await writer.probe()
      if hasVersions {
        let found = try await writer.execute(ServerCatalog.statement) { rows in ServerCatalog(rows) }
        catalog.withLock { $0 = found }
      }
    } catch {
      await close()
      throw DatabaseError(error)
    }
    let (writer, singleStatements, report) = (writer, singleStatements, report)
    sweeping.withLock { task in
      task = Task {
        let sweep = ServerSweep(writer, with: singleStatements, report: report)
        await sweep.begin()
        while (try? await Task.sleep(for: ServerSweep.interval)) != nil { await sweep.sweep() }
      }
    }
  }

  // MARK: Reading

  private static func makeTrace(_ isMeasured: Bool) -> ServerTrace? { isMeasured ? ServerTrace() : nil }

  func makeReader() -> Reader {
    let snapshot = BlockingSnapshot(threadConnector, timeout: limits.postgreSQL.batchTime)
    return Reader(BlockingReads(snapshot, trace: Self.makeTrace(measuresStatements)))
  }

  func makeRequestReader() -> Reader {
    let snapshot = BlockingSnapshot(readConnector, timeout: limits.postgreSQL.transactionTime)
    let budget = ServerReadBudget(limits)
    return Reader(BlockingReads(snapshot, trace: Self.makeTrace(measuresStatements), budget: budget))
  }

  func makeLoopReaders(on loop: any DescriptorWatcher) -> LoopReaders {
    let connections = LoopConnections(readConnector, on: loop, limits: limits, counts: readCounts)
    let (limits, isMeasured) = (limits, measuresStatements)
    let use = catalog.withLock { $0 }.map { ServerTableUse(of: $0) }
    return LoopReaders(connections) { [weak self] in
      let trace = Self.makeTrace(isMeasured)
      return Reader(
        DeferredReads(
          PipelineAnswers(connections, limits: limits, use: use, trace: trace) { error in
            self?.health.note(error, of: .others)
          },
          turn: limits.loopTurn
        ),
        trace: trace
      )
    }
  }

  // MARK: Writing

  var waitingWrites: Int { writer.waitingWrites }

  func write<Value: Sendable>(
    about key: Int64?,
    _ body: @escaping @Sendable (WriteTransaction) throws -> Value
  ) async throws -> Value {
    let (announce, isMeasured) = (announce, measuresStatements)
    do {
      let value = try await writer.write(about: WriteDomain(key.map { [$0] } ?? [])) { server in
        let transaction = WriteTransaction(on: server, trace: Self.makeTrace(isMeasured))
        let value = try body(transaction)
        let (actions, published) = (transaction.whenCommitted, transaction.published)
        server.afterCommit {
          for action in actions { action() }
          if !published.events.isEmpty { announce(published.events) }
        }
        return value
      }
      health.noteSuccess(of: .writes)
      return value
    } catch let error as PostgreSQLError {
      let error = DatabaseError(error)
      health.note(error, of: .writes)
      // Writes that have waited too long behind one that waits for the server.
      if error.code == .overloaded, let failure = health.failure, failure.code == .unreachable {
        throw failure
      }
      throw error
    }
  }

  func postHint(_ kind: UInt8, key: Int64, number: Int64) {
    channel?.post(Hint(kind, key: key), number: number)
  }

  /// Why writes failed last, or else what failed besides them. Without writes the server is asked, at most once a
  /// second, and the next call knows its answer.
  var writeFailure: DatabaseError? {
    if health.beginProbeIfDue() {
      Task {
        do throws(PostgreSQLError) { try await writer.probe() } catch { health.note(DatabaseError(error), of: .writes) }
      }
    }
    return health.failure
  }

  var statistics: PostgreSQLStatistics {
    var statistics = PostgreSQLStatistics()
    readCounts.write(to: &statistics)
    statistics.readRoundTrips = readRoundTrips.count
    statistics.writeRoundTrips = writeRoundTrips.count
    statistics.statements = readRoundTrips.statements + writeRoundTrips.statements
    statistics.hintMessages = channel.map { $0.counts.sent + $0.counts.received } ?? 0
    let writes = writer.counts.values
    statistics.rejectedWrites = writes.rejected
    statistics.conflicts = writes.retried
    statistics.reconnections = writes.reconnected
    statistics.commitsInDoubt = writes.inDoubt
    return statistics
  }

  func close() async {
    sweeping.withLock { $0?.cancel() }
    await writer.close()
    await singleStatements.close()
    await channel?.close()
  }
}
