import Foundation
import Logging
import Storage
import TestSupport
import Testing

@testable import Hearth

/// Queries that take longer than an event loop allows. The limits are small here, so that some hundred chores are many.
@Suite("Slow queries", .timeLimit(.minutes(10)))
struct SlowQueryTests {
  private static let chores = 600

  /// A filter that nothing matches, so that all chores are looked at.
  private static let slow = #"{ family { chores(filter: {query: "nothing"}) { totalCount } } }"#
  /// It returns 600 rows.
  private static let long: String = {
    let pages = "abcdef".map { "\($0): chores(first: 100, orderBy: DUE) { nodes { name } }" }
    return "{ family { \(pages.joined(separator: " ")) } }"
  }()
  private static let slowAnswer: Value = ["data": ["family": ["chores": ["totalCount": 0]]]]

  /// One loop with a step limit for requests, and a family with many chores.
  private func run(
    loopSteps: Int = 1_000,
    readSteps: Int = 5_000_000,
    log: Logger = TestServer.silentLog,
    _ body: (TestServer, Household) async throws -> Void
  ) async throws {
    try await TestServer.run(
      loops: 1,
      log: log,
      configure: { configuration in
        configuration.database.loopTurn.steps = loopSteps
        configuration.database.readSteps = readSteps
        // A row of a list takes SQLite some 20 steps.
        configuration.database.serverRows = readSteps / 20
      },
      { server in
        let household = try await Household(on: server)
        for start in stride(from: 0, to: Self.chores, by: 100) {
          let fields = (start..<start + 100).map {
            #"a\#($0): addChore(input: {name: "Chore \#($0)"}) { userErrors { code } }"#
          }
          let answer = try await household.parent.ask("mutation { \(fields.joined(separator: " ")) }")
          #expect(answer["errors"] == nil)
        }
        try await body(server, household)
      }
    )
  }

  /// Keeps the slow lane busy while `body` runs.
  private func holdingLane(of server: TestServer, _ body: () async throws -> Void) async throws {
    let (hasBegun, mayEnd) = (Gate(), DispatchSemaphore(value: 0))
    let lane = server.services.slowLane
    let holding = Task {
      try await lane.run(for: .unknown) { _ in
        hasBegun.open()
        mayEnd.wait()
      }
    }
    await hasBegun.pass()
    do {
      try await body()
    } catch {
      mayEnd.signal()
      throw error
    }
    mayEnd.signal()
    try await holding.value
  }

  @Test(.onlySQLite("PostgreSQL's statements do not run on the loop."))
  func `do not block the other clients of their loop`() async throws {
    try await run { server, ada in
      let other = server.visitor
      var slow: Task<Value, any Error>?
      try await holdingLane(of: server) {
        let client = ada.parent.another
        slow = Task { try await client.ask(Self.slow) }
        while server.services.slowLane.waitingCount == 0 { await Task.yield() }
        // Answered by the same loop, while the slow query has not even begun.
        for _ in 0..<3 {
          let answer = try await other.ask("{ __typename }")
          #expect(answer == ["data": ["__typename": "Query"]])
        }
        #expect(server.services.slowLane.waitingCount == 1)
      }
      let answer = try await slow?.value
      #expect(answer == Self.slowAnswer)
    }
  }

  @Test(.onlySQLite("PostgreSQL's statements do not run on the loop."))
  func `have the same caller's next query start off the loop while they still wait`() async throws {
    try await run { server, ada in
      let lane = server.services.slowLane
      let answered = Counter()
      var tasks: [Task<Value, any Error>] = []
      try await holdingLane(of: server) {
        let first = ada.parent.another
        tasks.append(Task { try await first.ask(Self.slow) })
        while lane.waitingCount == 0 { await Task.yield() }
        let second = ada.parent.another
        tasks.append(
          Task {
            defer { answered.increment() }
            return try await second.ask("{ family { name } }")
          }
        )
        while lane.waitingCount == 1 && answered.count == 0 { await Task.yield() }
        #expect(lane.waitingCount == 2)
      }
      for task in tasks { #expect(try await task.value["errors"] == nil) }
    }
  }

  @Test func `are answered as they would be on the loop`() async throws {
    let documents = [
      Self.slow, #"{ family { chores(first: 100, orderBy: DUE) { totalCount nodes { name priority } } } }"#,
      #"{ family { name chores(filter: {query: "chore 59"}) { nodes { name } } children { name } } }"#,
    ]
    for document in documents {
      var answers: [Value] = []
      for steps in [1, 5_000_000] {
        try await run(loopSteps: steps) { _, ada in answers.append(try await ada.parent.ask(document)) }
      }
      #expect(answers[0] == answers[1], "\(document)")
      #expect(answers[0]["errors"] == nil)
    }
  }

  @Test(.onlySQLite("PostgreSQL's statements do not run on the loop."))
  func `of one caller are bounded, and leave room for others'`() async throws {
    try await run { server, ada in
      let ben = try await Household(on: server, email: "ben@example.com", name: "Ben Other")
      for number in 0..<3 { _ = try await ben.addChore("Chore \(number)") }
      let lane = server.services.slowLane
      var waiting: [Task<Value, any Error>] = []
      try await holdingLane(of: server) {
        for index in 0..<SlowLane.maximumOfCaller {
          let client = ada.parent.another
          waiting.append(Task { try await client.ask(Self.slow) })
          while lane.waitingCount <= index { await Task.yield() }
        }
        let rejected = try await ada.parent.post(Self.slow)
        #expect(rejected.json["errors.0.extensions.code"] == "OVERLOADED")
        #expect(rejected.json["errors.0.extensions.retryAfter"] == 5)
        // The requests of others are neither rejected nor slow.
        #expect(try await ben.parent.ask("{ family { chores { totalCount } } }")["data.family.chores.totalCount"] == 3)
      }
      for task in waiting {
        let answer = try await task.value
        #expect(answer == Self.slowAnswer)
      }
    }
  }

  @Test(.onlySQLite("PostgreSQL's statements do not run on the loop."))
  func `are searches too, whose time SQLite does not count in steps`() async throws {
    let directory = try TemporaryDirectory()
    try await SeededPeople.add(1_000, to: directory)
    try await TestServer.run(in: directory, configure: { $0.database.loopTurn.steps = 50 }) { server in
      let input = A02SignInTests.input("person1@example.com", BenchmarkData.password)
      let token = try await server.visitor.perform(Documents.signIn, input)["credentials.accessToken"].string
      let client = server.visitor.with(token: token)
      var slow: Task<Value, any Error>?
      try await holdingLane(of: server) {
        let searching = client.another
        slow = Task { try await searching.ask(Documents.search, ["query": "high", "first": 50]) }
        while server.services.slowLane.waitingCount == 0 { await Task.yield() }
      }
      let answer = try await slow?.value
      #expect(answer?["data.search.nodes"].list.count == 50)
    }
  }

  @Test(arguments: [1_000, 5_000_000])
  func `past the read limit are the client's to change, and no failure of the server`(loopSteps: Int) async throws {
    let log = RecordedLog()
    try await run(loopSteps: loopSteps, readSteps: 4_000, log: log.logger) { server, ada in
      // PostgreSQL does not count steps: there the rows that it returns are limited, and the time of a statement.
      let answer = try await ada.parent.ask(server.database == .postgresql ? Self.long : Self.slow)
      #expect(
        answer["errors.0.message"]
          == "The request reads too much: select fewer fields, request shorter pages, or use a narrower filter."
      )
      #expect(answer["errors.0.extensions.code"] == "READ_LIMIT_EXCEEDED")
      #expect(try await server.http.get("/metrics").text.contains("hearth_graphql_failures_total 0\n"))
      #expect(
        !log.messages.contains { $0.contains("SELECT") || $0.contains("could not be resolved") },
        "\(log.messages)"
      )
    }
  }
}
