import Basics
import PostgreSQL
import TestSupport
import Testing

@testable import Hearth
@testable import Storage

/// Several servers that write to one PostgreSQL database.
@Suite(
  "Several servers on one database",
  .enabled(if: PostgreSQLCluster.isInstalled, "Scripts/install-postgresql installs PostgreSQL."),
  .timeLimit(.minutes(5))
)
struct PostgreSQLSeveralServersTests {
  @Test func `writes at once: nothing is lost, keys are unique, positions dense and in the order of commits`()
    async throws
  {
    try await TestServer.runSeveral(3) { servers in
      let families = [
        try await Household(on: servers[0]),
        try await Household(on: servers[1], email: "bob@example.com", name: "Bob"),
      ]
      let chores = 20
      let reading = Task { [server = servers[2]] in
        // What a snapshot shows of a family has no hole.
        var snapshots = 0
        while !Task.isCancelled {
          let holes = """
            SELECT f.position - (SELECT coalesce(max(position), f.position) FROM family_event AS e
              WHERE e.family_id = f.family_id),
              (SELECT coalesce(max(position) - min(position) + 1 - count(*), 0) FROM family_event AS e
              WHERE e.family_id = f.family_id)
            FROM family_feed AS f
            """
          for row in try server.rows(holes, columns: 2) { #expect(row == [0, 0]) }
          snapshots += 1
          await Task.yield()
        }
        return snapshots
      }
      let ids = try await withThrowingTaskGroup(of: String.self) { group in
        for server in servers {
          for (number, family) in families.enumerated() {
            for chore in 0..<chores {
              group.addTask {
                let input: Value = ["input": ["name": .string("Chore \(chore)")]]
                let added = try await family.parent.at(server).perform(Documents.addChore, input)
                return try #require(added["chore.id"].string, "family \(number): \(added)")
              }
            }
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      reading.cancel()
      #expect(try await reading.value > 0)
      #expect(Set(ids).count == 3 * 2 * chores)
      let stored = try servers[0].rows("SELECT count(*), count(DISTINCT id) FROM chore", columns: 2)
      #expect(stored == [[Int64(ids.count), Int64(ids.count)]])
      let events = """
        SELECT count(*), max(e.position) - min(e.position) + 1, max(e.position) - f.position, f.count - count(*)
        FROM family_event AS e JOIN family_feed AS f ON f.family_id = e.family_id
        GROUP BY f.family_id, f.position, f.count
        """
      let expected = Int64(3 * chores)
      #expect(try servers[1].rows(events, columns: 4) == [[expected, expected, 0, 0], [expected, expected, 0, 0]])
      // Every server has written, so that they have met.
      for server in servers { #expect(server.services.database.postgreSQLStatistics.writeRoundTrips > chores) }
    }
  }

  @Test func `a chore that was added later, at another server, has the higher key`() async throws {
    try await TestServer.runSeveral(2) { servers in
      let ada = try await Household(on: servers[0])
      for number in 0..<10 {
        let input: Value = ["input": ["name": .string("Item \(number)")]]
        _ = try await ada.parent.at(servers[number % 2]).perform(Documents.addItem, input)
      }
      // Newest first.
      #expect(try await ada.parent.itemNames() == (0..<10).reversed().map { "Item \($0)" })
    }
  }

  @Test func `a request with an idempotency key that several get at once takes effect once, with one response`()
    async throws
  {
    try await TestServer.runSeveral(3) { servers in
      let ada = try await Household(on: servers[0])
      let clients = servers.map { ada.parent.at($0) }
      for number in 0..<10 {
        // The second finds that the chore is done, which the first had to do.
        let chore = try await ada.addChore("Chore \(number)")
        let requests: [Value] = [
          ["query": .string(Self.addItem), "variables": ["input": ["name": .string("Item \(number)")]]],
          ["query": .string(Documents.finishChore), "variables": ["id": .string(chore)]],
        ]
        for (index, request) in requests.enumerated() {
          let responses = try await withThrowingTaskGroup(of: HTTPAnswer.self) { group in
            for client in clients {
              group.addTask { try await Self.send(request.text, key: "\(number)-\(index)", client) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
          }
          #expect(Set(responses.map(\.text)).count == 1, "\(responses.map(\.text))")
          #expect(responses[0].codes == [] && !responses[0].text.contains(#""userErrors":[{"#), "\(responses[0].text)")
        }
      }
      #expect(try servers[0].rows("SELECT count(*) FROM item", columns: 1) == [[10]])
    }
  }

  @Test func `servers that repeat a request at the same time store its response once, without an error`() async throws {
    try await TestServer.runSeveral(2) { servers in
      let ada = try await Household(on: servers[0])
      let clients = servers.map { ada.parent.at($0) }
      let request: Value = ["query": .string(Self.addItem), "variables": ["input": ["name": "Rope"]]]
      let first = try await Self.send(request.text, key: "rope", clients[0])
      // As if the first server had been killed before it stored the response.
      try await servers[0].services.database.write { transaction in
        let delete = "DELETE FROM idempotent_write WHERE step = \(IdempotentRun.responseStep)"
        try transaction.statement(WrittenOnce.sql(delete)).run()
      }
      let repetitions = try await servers[0].holdingWrites {
        try await servers[1].holdingWrites {
          let repetitions = clients.map { client in
            Task { try await Self.send(request.text, key: "rope", client) }
          }
          for server in servers { while server.services.database.waitingWrites < 1 { await Task.yield() } }
          return repetitions
        }
      }
      for repetition in repetitions { #expect(try await repetition.value.text == first.text) }
      let stored = "SELECT count(*) FROM idempotent_write WHERE step = \(IdempotentRun.responseStep)"
      #expect(try servers[0].rows(stored, columns: 1) == [[1]])
      for server in servers {
        let metrics = try PrometheusMetrics(try await server.http.get("/metrics").text)
        #expect(metrics["hearth_graphql_failures_total"] == 0)
      }
    }
  }

  private static let addItem = """
    mutation ($input: AddItemInput!) { addItem(input: $input) { item { id name } userErrors { code } } }
    """

  /// Sends a request with a key until it is not executed elsewhere.
  private static func send(_ request: String, key: String, _ client: Client) async throws -> HTTPAnswer {
    let headers = [("Authorization", "Bearer \(client.token ?? "")"), ("Idempotency-Key", "\"\(key)\"")]
    while true {
      let answer = try await client.http.post(request, headers: headers)
      if answer.codes != ["IDEMPOTENT_REQUEST_RUNNING"] { return answer }
      await Task.yield()
    }
  }

  @Test func `a new chore waits for one round trip and its commit, also after another server has written`() async throws
  {
    try await TestServer.runSeveral(2) { servers in
      let ada = try await Household(on: servers[0])
      for server in servers { _ = try await ada.parent.at(server).perform(Documents.addChore, Self.chore) }
      var trips: [Int] = []
      for number in 0..<10 {
        let server = servers[number % 2]
        let before = server.services.database.postgreSQLStatistics.writeRoundTrips
        _ = try await ada.parent.at(server).perform(Documents.addChore, Self.chore)
        trips.append(server.services.database.postgreSQLStatistics.writeRoundTrips - before)
      }
      // The server's own sweeps are writes too, and can fall between.
      #expect(trips.min() == 2 && trips.count { $0 == 2 } > 5, "\(trips)")
    }
  }

  @Test func `a chore is assigned to many members in as many round trips as to two`() async throws {
    try await TestServer.run(database: .postgresql) { server in
      let ada = try await Household(on: server)
      var children: [String] = []
      for number in 0..<8 { children.append(try await ada.addChild("Child \(number)")) }
      func trips(_ assignees: [String]) async throws -> Int {
        var trips: [Int] = []
        // The server's own sweeps are writes too, and can fall between.
        for _ in 0..<8 {
          let before = server.services.database.postgreSQLStatistics.writeRoundTrips
          _ = try await ada.addChore(for: assignees)
          trips.append(server.services.database.postgreSQLStatistics.writeRoundTrips - before)
        }
        return trips.min() ?? 0
      }
      let (one, two, all) = try await (trips([children[0]]), trips(Array(children.prefix(2))), trips(children))
      #expect(one == all && two == all, "\(one), \(two), \(all)")
    }
  }

  private static let chore: Value = ["input": ["name": "Feed the cat"]]

  @Test func `a process that uses the database alone, such as an earlier version, excludes servers`() async throws {
    let directory = try TemporaryDirectory()
    let options = try await TestPostgreSQL.options(of: ServerDatabases.name(forFolder: directory.path))
    func isLocked() async throws -> Bool {
      try await TestThread {
        try BlockingConnection(try Connector(options).connect()).run(
          "SELECT pg_try_advisory_lock(\(PostgreSQLEngine.lock))"
        ).int64(0, 0) == 1
      }.value
    }
    let (isHeld, mayEnd) = (Gate(), Monitor(false))
    let holder = TestThread {
      let connection = BlockingConnection(try Connector(options).connect())
      try connection.run("SELECT pg_advisory_lock(\(PostgreSQLEngine.lock))")
      isHeld.open()
      mayEnd.wait { $0 ? () : nil }
    }
    await isHeld.pass()
    let error = await #expect(throws: UnusableData.self) {
      try await TestServer.run(in: directory, database: .postgresql) { _ async throws in }
    }
    #expect(error?.description == "The database is in use by another process, which needs it alone.")
    mayEnd.withLock { isOver, _ in isOver = true }
    mayEnd.broadcast()
    try await holder.value
    try await TestServer.run(in: directory, database: .postgresql) { server async throws in
      #expect(try await !isLocked())
      _ = try await Household(on: server)
    }
    try await ServerDatabases.drop(forFolder: directory.path)
  }
}
