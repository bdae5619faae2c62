import Dispatch
import EventLoop
import Glibc
import PostgreSQL
import TestSupport
import Testing

@testable import Hearth
@testable import Storage

/// Requests of a loop that read in one snapshot on one connection.
@Suite(
  "Snapshots of PostgreSQL that requests share",
  .enabled(if: PostgreSQLCluster.isInstalled, "Scripts/install-postgresql installs PostgreSQL.")
)
struct PostgreSQLSharedSnapshotTests {
  /// Runs a test on the thread of a loop, with connections to a database with a table `entry`.
  private func onLoop<Result: Sendable>(
    connections: Int = 1,
    timeout: Duration = .seconds(60),
    _ body: @escaping @Sendable (Pool) async throws -> Result
  ) async throws -> Result {
    let cluster = try await PostgreSQLCluster.shared()
    let name = try await cluster.makeDatabase()
    try await cluster.execute("CREATE TABLE entry (id bigint PRIMARY KEY); INSERT INTO entry VALUES (1)", in: name)
    let url = try DatabaseURL(cluster.url(of: name))
    let loop = try EventLoop()
    defer { loop.stop() }
    return try await Task(executorPreference: loop) {
      let pool = Pool(url, connections: connections, timeout: timeout, on: loop) { sql in
        try await cluster.execute(sql, in: name)
      }
      defer { pool.connections.close() }
      return try await body(pool)
    }.value
  }

  /// Confined to the loop.
  private final class Pool {
    let connections: LoopConnections
    let execute: (String) async throws -> String
    let roundTrips = RoundTripCounter()
    private let counts = ReadPoolCounts()
    private let loop: EventLoop
    private let limits: DatabaseLimits

    init(
      _ url: DatabaseURL,
      connections: Int,
      timeout: Duration,
      on loop: EventLoop,
      _ execute: @escaping (String) async throws -> String
    ) {
      var limits = DatabaseLimits()
      limits.postgreSQL.connectionsPerLoop = connections
      limits.postgreSQL.connectionTimeout = timeout
      var options = ConnectionOptions(parameters: url.parameters)
      options.roundTrips = roundTrips
      self.connections = LoopConnections(Connector(options), on: loop, limits: limits, counts: counts)
      self.execute = execute
      self.loop = loop
      self.limits = limits
    }

    /// Does work that begins to read while the only connection is in use, so that all of it gets the connection at
    /// once.
    func together<Value>(_ works: [() async throws -> Value]) async throws -> [Value] {
      let holder = Inquiry.asking("SELECT 1")
      try await connections.answer(holder)
      let tasks = works.map { work in
        Task(executorPreference: loop) { [work = Unchecked(work)] in Unchecked(try await work.value()) }
      }
      while statistics.waitingReads < works.count { await Task.yield() }
      holder.snapshot?.leave()
      var values: [Value] = []
      for task in tasks { values.append(try await task.value.value) }
      return values
    }

    func task<Value: Sendable>(_ work: @escaping () async throws -> Value) -> Task<Value, any Error> {
      Task(executorPreference: loop) { [work = Unchecked(work)] in try await work.value() }
    }

    func answer(_ inquiries: [Inquiry]) async throws {
      _ = try await together(inquiries.map { inquiry in { [self] in try await connections.answer(inquiry) } })
    }

    func makeAnswers() -> PipelineAnswers {
      PipelineAnswers(connections, limits: limits, use: nil, trace: nil) { _ in }
    }

    var statistics: PostgreSQLStatistics {
      var statistics = PostgreSQLStatistics()
      counts.write(to: &statistics)
      return statistics
    }
  }

  private static let count = StatementText("SELECT count(*) FROM entry")
  private static let failing = StatementText("SELECT 1 / 0")

  private static func asked(_ sql: StatementText) -> AskedStatement {
    AskedStatement(sql, ParameterBytes(), isSearch: false)
  }

  @Test func `those that wait for a connection share it, and round trips`() async throws {
    try await onLoop { pool in
      let all = (1...5).map { Inquiry.asking("SELECT \($0)::bigint", "SELECT 0", isShareable: true) }
      // Opening the connection takes none.
      try await pool.answer(all)
      #expect(pool.roundTrips.count == 2)
      #expect(all.map { $0.row(0) } == [1, 2, 3, 4, 5])
      let shared = try #require(all[0].snapshot)
      #expect(all.allSatisfy { $0.snapshot === shared })
      #expect(pool.statistics.usedConnections == 1)
      let next = (6...10).map { Inquiry.asking("SELECT \($0)::bigint", isShareable: true) }
      for inquiry in next { shared.ask(inquiry) }
      for inquiry in next { await inquiry.wait() }
      #expect(next.map { $0.row(0) } == [6, 7, 8, 9, 10])
      #expect(pool.roundTrips.count == 3)
      for _ in all { shared.leave() }
      #expect(pool.statistics.usedConnections == 0 && pool.statistics.idleConnections == 1)
    }
  }

  @Test func `more than eight do not share one`() async throws {
    try await onLoop { pool in
      let snapshots = try await pool.together(
        (0..<20).map { _ in
          {
            let inquiry = Inquiry.asking("SELECT 1", isShareable: true)
            try await pool.connections.answer(inquiry)
            inquiry.snapshot?.leave()
            return inquiry.snapshot.map(ObjectIdentifier.init)
          }
        }
      )
      #expect(snapshots.allSatisfy { $0 != nil })
      #expect(pool.roundTrips.count == 4)
    }
  }

  @Test func `those that cannot begin again share none`() async throws {
    try await onLoop { pool in
      _ = try await pool.together(
        (0..<2).map { _ in
          {
            let inquiry = Inquiry.asking("SELECT 1")
            try await pool.connections.answer(inquiry)
            inquiry.snapshot?.leave()
          }
        }
      )
      #expect(pool.roundTrips.count == 3)
    }
  }

  @Test func `a request sees what was committed before it began, and nothing later`() async throws {
    try await onLoop { pool in
      let early = (0..<2).map { _ in Inquiry.asking("SELECT 1", isShareable: true) }
      try await pool.answer(early)
      _ = try await pool.execute("INSERT INTO entry VALUES (2)")
      let late = Inquiry.asking("SELECT count(*) FROM entry", isShareable: true)
      let answering = pool.task { try await pool.connections.answer(late) }
      while pool.statistics.waitingReads < 1 { await Task.yield() }
      for inquiry in early {
        let next = Inquiry.asking("SELECT count(*) FROM entry", isShareable: true)
        inquiry.snapshot?.ask(next)
        // The other one ends without asking again.
        if inquiry === early[0] { early[1].snapshot?.leave() } else { continue }
        await next.wait()
        #expect(next.row(0) == 1)
        inquiry.snapshot?.leave()
        break
      }
      try await answering.value
      #expect(late.row(0) == 2)
      late.snapshot?.leave()
    }
  }

  @Test func `a first statement that fails fails its own request only`() async throws {
    try await onLoop { pool in
      let asked = [Self.asked(Self.count), Self.asked(Self.failing), Self.asked(Self.count)]
      let areKept = try await pool.together(
        asked.map { statement in
          {
            let answers = pool.makeAnswers()
            defer { answers.endRead() }
            return await answers.answer([statement], canBeginAgain: true)
          }
        }
      )
      #expect(areKept == [true, true, true])
      #expect(asked.map { $0.number } == [1, nil, 1])
      guard case .failure(let error) = asked[1].answer else {
        Issue.record("The statement has not failed.")
        return
      }
      #expect(error.sql == "SELECT 1 / 0")
      #expect(pool.statistics.usedConnections == 0)
    }
  }

  @Test func `a later statement that fails makes the others begin again`() async throws {
    try await onLoop { pool in
      let readers = [pool.makeAnswers(), pool.makeAnswers()]
      _ = try await pool.together(
        readers.map { answers in { await answers.answer([Self.asked(Self.count)], canBeginAgain: true) } }
      )
      let (other, failing) = (Self.asked(Self.count), Self.asked(Self.failing))
      let isKept = pool.task { await readers[0].answer([other], canBeginAgain: true) }
      #expect(await readers[1].answer([failing], canBeginAgain: true))
      #expect(try await isKept.value == false)
      #expect(other.answer == nil && failing.number == nil && failing.answer != nil)
      for reader in readers { reader.endRead() }
      #expect(await readers[0].answer([other], canBeginAgain: true))
      #expect(other.number == 1)
      readers[0].endRead()
      #expect(pool.statistics.usedConnections == 0 && pool.statistics.idleConnections == 1)
    }
  }

  /// The server prepares no statement in a transaction that has failed.
  @Test func `a statement that the connection has not prepared is answered after one that failed`() async throws {
    try await onLoop { pool in
      let reader = pool.makeAnswers()
      let (failing, new) = (Self.asked(Self.failing), Self.asked(WrittenOnce.sql("SELECT count(*) + 1 FROM entry")))
      #expect(await reader.answer([failing], canBeginAgain: false))
      reader.endRead()
      #expect(await reader.answer([new], canBeginAgain: false))
      reader.endRead()
      #expect(failing.number == nil && new.number == 2)
    }
  }

  @Test func `requests begin again if one with which they share a snapshot takes too long`() async throws {
    let configure: (inout Configuration) -> Void = { configuration in
      configuration.databaseLimits.postgreSQL.readTime = .milliseconds(1_500)
      configuration.databaseLimits.postgreSQL.connectionTimeout = .seconds(60)
      configuration.databaseLimits.postgreSQL.connectionsPerLoop = 1
    }
    try await TestServer.run(loops: 1, database: .postgresql, configure: configure) { server in
      let ada = try await Household(on: server)
      _ = try await ada.addChild("Mia")
      let document = "{ family { name children { name pointEntries(first: 1) { nodes { points } } } } }"
      let expected = try await ada.parent.ask(document)
      #expect(expected["errors"] == nil)
      let (isLocked, mayEnd) = (Gate(), DispatchSemaphore(value: 0))
      let locking = Task { [database = server.services.database] in
        try await database.write { transaction in
          defer { isLocked.open() }
          let reader = transaction.reader
          // The transaction is idle for as long as the reads take, on a busy machine longer than servers allow.
          try reader.statement(WrittenOnce.sql("SET LOCAL idle_in_transaction_session_timeout = 0")).run()
          try reader.statement(WrittenOnce.sql("LOCK TABLE assignment IN ACCESS EXCLUSIVE MODE")).run()
          // Its rows are waited for.
          try reader.statement(WrittenOnce.sql("SELECT 1")).forEachRow { _ in }
          isLocked.open()
          _ = mayEnd.wait(timeout: .now() + 60)
        }
      }
      await isLocked.pass()
      let locked = "{ family { children { assignedChores(first: 1) { nodes { name } } } } }"
      // It has the only connection until the server ends its statement.
      async let holding = ada.parent.another.ask(locked)
      while server.services.database.postgreSQLStatistics.usedConnections == 0 { await Task.yield() }
      async let slow = ada.parent.another.ask(locked)
      async let first = ada.parent.another.ask(document)
      async let second = ada.parent.another.ask(document)
      while server.services.database.postgreSQLStatistics.waitingReads < 3 {
        try #require(server.services.database.postgreSQLStatistics.usedConnections == 1)
        await Task.yield()
      }
      for answer in try await [first, second] { #expect(answer == expected, "\(answer)") }
      for answer in try await [holding, slow] {
        #expect(answer["errors.0.extensions.code"] == "STORAGE_UNAVAILABLE", "\(answer)")
      }
      mayEnd.signal()
      try await locking.value
      #expect(server.services.database.postgreSQLStatistics.usedConnections == 0)
    }
  }

  /// The loop must not watch the socket, which crashed.
  @Test func `a connection that is opened when its loop has ended is closed`() async throws {
    let cluster = try await PostgreSQLCluster.shared()
    let (isConnecting, isClosed, mayAnswer) = (Gate(), Gate(), DispatchSemaphore(value: 0))
    // Passes nothing on before the test says so.
    let proxy = try FakeServer { client in
      guard let server = FakeClient(connectingTo: "\(cluster.folder)/.s.PGSQL.\(cluster.port)") else { return }
      let answers = TestThread { while case let bytes = server.receive(), !bytes.isEmpty { client.send(bytes) } }
      var bytes = client.receive()
      isConnecting.open()
      _ = mayAnswer.wait(timeout: .now() + 60)
      while !bytes.isEmpty {
        server.send(bytes)
        bytes = client.receive()
      }
      isClosed.open()
      server.cut()
      _ = answers
    }
    let options = ConnectionOptions(
      parameters: [("host", "127.0.0.1"), ("port", "\(proxy.port)"), ("dbname", "postgres"), ("user", "hearth")]
    )
    let loop = try EventLoop()
    let connections = try await loop.run {
      Unchecked(LoopConnections(Connector(options), on: loop, limits: DatabaseLimits(), counts: ReadPoolCounts()))
    }
    let failure = Task(executorPreference: loop) {
      await error { () async throws(PostgreSQLError) in try await connections.value.answer(.asking("SELECT 1")) }
    }
    await isConnecting.pass()
    try await loop.run { connections.value.close() }
    loop.stop()
    try await TestThread { loop.join() }.value
    mayAnswer.signal()
    #expect(await failure.value?.code == .closed)
    await isClosed.pass()
  }

  private func error(_ body: () async throws(PostgreSQLError) -> Void) async -> PostgreSQLError? {
    do throws(PostgreSQLError) { try await body() } catch { return error }
    return nil
  }
}

extension Inquiry {
  /// The number that a statement has returned.
  fileprivate func row(_ statement: Int) -> Int64? {
    guard case .answered(let batch) = outcome else { return nil }
    return batch.results[range.lowerBound + statement].int64(0, 0)
  }
}

extension AskedStatement {
  fileprivate var number: Int64? {
    guard case .success(let rows) = answer else { return nil }
    return ReadRows(rows).int64(0, 0)
  }
}
