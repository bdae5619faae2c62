import EventLoop
import Glibc
import GraphQL
import PostgreSQL
import TestSupport
import Testing

@testable import Hearth
@testable import Storage

// `@unchecked Sendable`: it is used on one loop.
struct Unchecked<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}

extension Inquiry {
  static func asking(_ statements: String..., isShareable: Bool = false) -> Inquiry {
    Inquiry(statements.map { Batch.Entry(ServerStatement($0), ParameterBuffer()) }, isShareable: isShareable)
  }
}

/// A PostgreSQL server that cannot be reached, or does not answer: every request gets an answer within a bounded time.
@Suite(
  "An outage of PostgreSQL",
  .enabled(if: PostgreSQLCluster.isInstalled, "Scripts/install-postgresql installs PostgreSQL.")
)
struct PostgreSQLOutageTests {
  @Test func `a request with a token that the server has not seen gets STORAGE_UNAVAILABLE`() async throws {
    let directory = try TemporaryDirectory()
    var token = ""
    try await TestServer.run(in: directory, database: .postgresql) { server in
      token = try await Household(on: server).parent.token ?? ""
    }
    try await TestServer.run(in: directory, database: .postgresql) { server in
      try await server.closeDatabase()
      let client = server.visitor.with(token: token)
      let read = try await client.post("{ family { name } }")
      #expect(read.status == 503)
      #expect(try Value(read.body)["errors.0.extensions.code"] == "STORAGE_UNAVAILABLE")
      let written = try await client.post(#"mutation { addItem(input: {name: "Milk"}) { item { id } } }"#)
      #expect(written.status == 503)
      let live = try await LiveSocket.open(server.port)
      try await live.send(#"{"type":"connection_init","payload":{"Authorization":"Bearer \#(token)"}}"#)
      guard case .close(_, let reason) = try await live.receive() else {
        Issue.record("The connection was not closed.")
        return
      }
      #expect(reason.contains("STORAGE_UNAVAILABLE"), "\(reason)")
      try await server.openDatabase()
      #expect(try await client.ask("{ family { name } }")["errors"] == nil)
    }
    try await ServerDatabases.drop(forFolder: directory.path)
  }

  /// The caller is known, but may have signed out: only the database knows.
  @Test(arguments: ["{ viewer { __typename } }", "{ family { name } }", "{ __typename family { name } }"])
  func `a caller whose session cannot be read is shown nothing`(document: String) async throws {
    try await TestServer.run(loops: 1, database: .postgresql) { server in
      let ada = try await Household(on: server)
      #expect(try await ada.parent.ask(document)["errors"] == nil)
      try await server.closeDatabase()
      let answer = try await ada.parent.ask(document)
      #expect(answer["errors.0.extensions.code"] == "STORAGE_UNAVAILABLE", "\(answer)")
      #expect(answer["data.viewer"] == nil && answer["data.family"] == nil)
      try await server.openDatabase()
      #expect(try await ada.parent.ask(document)["errors"] == nil)
    }
  }

  @Test func `an outage is logged once for reads and for writes, and its end with the number of failures`()
    async throws
  {
    let log = RecordedLog()
    let configure: (inout Configuration) -> Void = { configuration in
      configuration.databaseLimits.postgreSQL.connectionTimeout = .seconds(1)
      configuration.databaseLimits.postgreSQL.recoveryTime = .zero
    }
    try await TestServer.run(loops: 1, database: .postgresql, log: log.logger, configure: configure) { server in
      let ada = try await Household(on: server)
      for _ in 0..<2 {
        let earlier = log.messages.count
        try await server.closeDatabase()
        for document in Array(repeating: "{ family { name } }", count: 9)
          + Array(repeating: #"mutation { addItem(input: {name: "Milk"}) { item { id } } }"#, count: 3)
        {
          let answer = try await ada.parent.ask(document)
          #expect(answer["errors.0.extensions.code"] == "STORAGE_UNAVAILABLE", "\(answer)")
        }
        try await server.openDatabase()
        var lines: [String] = []
        while !lines.contains(where: { $0.hasPrefix("The database answers again.") }) {
          _ = try await server.visitor.ask("{ __typename }")
          lines = Array(log.messages.dropFirst(earlier))
        }
        for beginning in ["The database cannot be read.", "A write could not be stored."] {
          #expect(lines.count { $0.hasPrefix(beginning) } == 1, "\(lines)")
        }
        let end = try #require(lines.last { $0.hasPrefix("The database answers again.") })
        #expect(end.contains(#""failedReads": 9"#) && end.contains(#""failedWrites": 3"#), "\(end)")
      }
    }
  }

  @Test func `a server that accepts connections and does not answer is not waited for without end`() async throws {
    let configure: (inout Configuration) -> Void = { configuration in
      configuration.databaseLimits.postgreSQL.readTime = .milliseconds(500)
      configuration.databaseLimits.postgreSQL.statementTime = .milliseconds(500)
      configuration.databaseLimits.postgreSQL.connectionTimeout = .seconds(1)
      configuration.databaseLimits.postgreSQL.recoveryTime = .zero
      configuration.databaseLimits.postgreSQL.connectionsPerLoop = 1
    }
    try await TestServer.run(loops: 1, database: .postgresql, configure: configure) { server in
      let ada = try await Household(on: server)
      #expect(try await ada.parent.ask("{ family { name } }")["errors"] == nil)
      let name = try await ServerDatabases.name(forFolder: server.directory.path)
      let processes = try await PostgreSQLCluster.shared().execute(
        "SELECT pid FROM pg_stat_activity WHERE datname = '\(name)' AND backend_type = 'client backend'"
      ).split(separator: "\n").compactMap { pid_t($0) }
      #expect(processes.count >= 2)
      for process in processes { kill(process, SIGSTOP) }
      defer { for process in processes { kill(process, SIGCONT) } }
      // One read waits for the server's answer, the other for the connection. Writes that wait for the connection of an
      // earlier one, which can be the server's own, are rejected as too many.
      async let first = ada.parent.ask("{ family { name } }")
      async let second = ada.parent.another.ask("{ family { name } }")
      async let written = ada.parent.another.ask(#"mutation { addItem(input: {name: "Milk"}) { item { id } } }"#)
      async let queued = ada.parent.another.ask(#"mutation { addItem(input: {name: "Bread"}) { item { id } } }"#)
      for answer in try await [first, second] {
        #expect(answer["errors.0.extensions.code"] == "STORAGE_UNAVAILABLE", "\(answer)")
      }
      let codes = try await [written, queued].map { $0["errors.0.extensions.code"] }
      #expect(codes.allSatisfy { $0 == "STORAGE_UNAVAILABLE" || $0 == "OVERLOADED" }, "\(codes)")
      #expect(server.services.database.postgreSQLStatistics.usedConnections == 0)
      for process in processes { kill(process, SIGCONT) }
      try await server.services.database.probeWrite()
      #expect(try await ada.parent.ask("{ family { name } }")["errors"] == nil)
    }
  }

  @Test func `a repeated mutation reads again what could not be read after its write`() async throws {
    let configure: (inout Configuration) -> Void = { $0.databaseLimits.postgreSQL.readTime = .milliseconds(500) }
    try await TestServer.run(loops: 1, database: .postgresql, configure: configure) { server in
      let ada = try await Household(on: server)
      _ = try await ada.addItem("Tent")
      let document = """
        mutation { updateFamily(input: {name: "Byron"}) { family { name items(first: 1) { nodes { name } } } } }
        """
      let request: Value = ["query": .string(document), "extensions": ["idempotencyKey": "one"]]
      let headers = [("Authorization", "Bearer \(ada.parent.token ?? "")")]
      let failed = try await server.locking("item") { try await server.http.post(request.text, headers: headers) }
      #expect(failed.codes == ["STORAGE_UNAVAILABLE"], "\(failed.text)")
      #expect(failed.text.contains("What this request has changed so far is stored"), "\(failed.text)")
      #expect(try await ada.parent.ask("{ family { name } }")["data.family.name"] == "Byron")
      _ = try await ada.parent.ask(#"mutation { updateFamily(input: {name: "Lovelace"}) { family { name } } }"#)
      let repeated = try await server.http.post(request.text, headers: headers)
      #expect(repeated.codes == [] && repeated.json["data.updateFamily.family.items.nodes.0.name"] == "Tent")
      // It was not executed again, and its response is kept from now on.
      #expect(repeated.json["data.updateFamily.family.name"] == "Lovelace", "\(repeated.text)")
      _ = try await ada.parent.ask(#"mutation { updateFamily(input: {name: "Milbanke"}) { family { name } } }"#)
      #expect(try await server.http.post(request.text, headers: headers).body == repeated.body)
    }
  }

  @Test func `an event whose caller cannot be read ends the subscription, and logs no fault`() async throws {
    let log = RecordedLog()
    try await TestServer.run(loops: 1, database: .postgresql, log: log.logger) { server in
      let ada = try await Household(on: server)
      let item = server.services.cipher.key(of: try await ada.addItem("Tent"))
      let live = try await LiveSocket.open(server.port)
      try await live.initialize(ada.parent.token)
      try await live.subscribe("1", "subscription { familyChanged { ... on ItemChanged { item { name } } } }")
      try await live.send(#"{"type":"ping"}"#)
      #expect(try await live.receive() == .text(#"{"type":"pong"}"#))
      try await server.closeDatabase()
      let family = try #require(server.services.cipher.key(of: ada.familyID))
      let event = FeedEvent(kind: .itemChanged, subject: try #require(item), details: [])
      let topic = FeedEvent.topic(of: family)
      let position = try #require(server.services.feed.reading(all: true).first?.after) + 1
      server.services.feed.announce([
        Feed.Publication(topic: topic, event: SourceEvent(event, position: position))
      ])
      let message = try await live.receive()
      #expect("\(message)".contains("STORAGE_UNAVAILABLE"), "\(message)")
      #expect(log.messages.filter { $0.contains("could not be resolved") } == [])
      try await server.openDatabase()
    }
  }

  @Test func `a snapshot that is lost is not continued by another one`() async throws {
    try await TestServer.run(loops: 1, database: .postgresql) { server in
      let ada = try await Household(on: server)
      let reader = try server.services.database.makeReader()
      let text = WrittenOnce.sql("SELECT count(*) FROM item")
      func items() throws -> Int64? { try reader.statement(text).first { $0.int64(0) } }
      #expect(try items() == 0)
      _ = try await ada.addItem("Tent")
      #expect(try items() == 0)
      try await server.closeDatabase()
      try await server.openDatabase()
      for _ in 0..<2 { #expect(throws: DatabaseError.self) { try items() } }
      reader.endRead()
      #expect(try items() == 1)
      reader.endRead()
    }
  }

  @Test func `a request does not wait without end for a connection that others use`() async throws {
    let cluster = try await PostgreSQLCluster.shared()
    let name = try await cluster.makeDatabase()
    let url = try DatabaseURL(cluster.url(of: name))
    var limits = DatabaseLimits()
    limits.postgreSQL.connectionsPerLoop = 1
    limits.postgreSQL.connectionTimeout = .milliseconds(300)
    let loop = try EventLoop()
    defer { loop.stop() }
    for answers in [true, false] {
      let failure = try await Task(executorPreference: loop) { [limits] () -> PostgreSQLError? in
        let connector = Connector(ConnectionOptions(parameters: url.parameters))
        let counts = ReadPoolCounts()
        // Only used on the loop's thread.
        nonisolated(unsafe) let pool = LoopConnections(connector, on: loop, limits: limits, counts: counts)
        let used = Inquiry.asking("SELECT 1")
        try await pool.answer(used)
        let late = Inquiry.asking("SELECT 1")
        let waiting = Task(executorPreference: loop) { [late = Unchecked(late)] in try await pool.answer(late.value) }
        while answers, late.outcome == nil {
          let next = Inquiry.asking("SELECT 1")
          used.snapshot?.ask(next)
          await next.wait()
        }
        try await waiting.value
        used.snapshot?.leave()
        guard case .failed(let failure) = late.outcome else { return nil }
        var statistics = PostgreSQLStatistics()
        counts.write(to: &statistics)
        #expect(statistics.waits == 1 && statistics.rejectedReads == 1 && statistics.waitingReads == 0)
        #expect(statistics.usedConnections == 0 && statistics.idleConnections == 1)
        pool.close()
        return failure
      }.value
      // Without any answer, the server is the reason.
      #expect(failure?.code == (answers ? .overloaded : .timedOut))
    }
  }
}
