import Foundation
import Logging
import Storage
import TestSupport
import Testing

@testable import Hearth

/// What is true of slow queries with every database.
struct SlowQueries {
  private static let chores = 600
  let database: TestDatabase

  /// A query with too many rows for a loop, on every database.
  private static let slow = "{ family { chores(first: 100) { totalCount nodes { name } } } }"

  private static func expectSlowAnswer(_ answer: Value?) {
    #expect(answer?["errors"] == .null)
    #expect(answer?["data.family.chores.totalCount"] == .number(Double(chores)))
    #expect(answer?["data.family.chores.nodes"].list.count == 100)
  }

  /// One loop with a step limit for requests, and a family with many chores.
  private func run(
    loopSteps: Int = 2_000,
    readSteps: Int = 5_000_000,
    checkpointPages: Int = DatabaseLimits().checkpointPages,
    log: Logger = TestServer.silentLog,
    _ body: (TestServer, Household) async throws -> Void
  ) async throws {
    try await TestServer.run(
      loops: 1,
      database: database,
      log: log,
      configure: { configuration in
        configuration.databaseLimits.loopTurn.steps = loopSteps
        configuration.databaseLimits.readSteps = readSteps
        configuration.databaseLimits.checkpointPages = checkpointPages
        // A row of a list takes SQLite some 20 steps.
        configuration.databaseLimits.postgreSQL.rows = readSteps / 20
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
  static func holdingLane(of server: TestServer, _ body: () async throws -> Void) async throws {
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

  func doNotBlockOthers() async throws {
    try await run { server, ada in
      let other = server.visitor
      var slow: Task<Value, any Error>?
      try await Self.holdingLane(of: server) {
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
      Self.expectSlowAnswer(try await slow?.value)
    }
  }

  func haveTheNextStartOffTheLoop() async throws {
    try await run { server, ada in
      let lane = server.services.slowLane
      let answered = Counter()
      var tasks: [Task<Value, any Error>] = []
      try await Self.holdingLane(of: server) {
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

  /// A result of introspection that is too long for the loop, and that nothing is read for.
  private static let long = "{ \((0..<6).map { "a\($0): \(introspection)" }.joined(separator: " ")) }"
  private static let introspection =
    "__schema { types { name description fields { name description args { name description } } } }"

  func leaveTheNextOnTheLoop() async throws {
    try await run { server, ada in
      let lane = server.services.slowLane
      #expect(try await ada.parent.ask("{ family { name } }")["errors"] == nil)
      let long = try await server.visitor.post(Self.long)
      #expect((512 * 1024..<1024 * 1024).contains(long.body.count), "\(long.body.count) bytes")
      let answered = Counter()
      var next: Task<Value, any Error>?
      try await Self.holdingLane(of: server) {
        let client = ada.parent
        next = Task {
          defer { answered.increment() }
          // Another query than the first, whose response may have been kept.
          return try await client.ask("{ family { id } }")
        }
        while lane.waitingCount == 0 && answered.count == 0 { await Task.yield() }
        #expect(lane.waitingCount == 0)
      }
      let answer = try await next?.value
      #expect(answer?["errors"] == .null)
    }
  }

  func showNothingAfterSignOut() async throws {
    try await run { server, ada in
      var slow: Task<Value, any Error>?
      try await Self.holdingLane(of: server) {
        let client = ada.parent.another
        slow = Task { try await client.post(Self.slow).json }
        while server.services.slowLane.waitingCount == 0 { await Task.yield() }
        _ = try await ada.parent.perform(Documents.signOut, [:])
      }
      let answer = try await slow?.value
      #expect(answer?["errors.0.extensions.code"] == "TOKEN_REVOKED")
      #expect(answer?["data.family"] == .null)
    }
  }

  func areAnsweredAlike() async throws {
    let documents = [
      Self.slow, #"{ family { chores(filter: {query: "nothing"}) { totalCount } } }"#,
      #"{ family { chores(first: 100, orderBy: DUE) { totalCount nodes { name priority } } } }"#,
      #"{ family { name chores(filter: {query: "chore 59"}) { nodes { name } } children { name } } }"#,
    ]
    var answers: [[Value]] = []
    for steps in [1, 5_000_000] {
      try await run(loopSteps: steps) { _, ada in
        var own: [Value] = []
        for document in documents { own.append(try await ada.parent.ask(document)) }
        answers.append(own)
      }
    }
    for (index, document) in documents.enumerated() {
      #expect(answers[0][index] == answers[1][index], "\(document)")
      #expect(answers[0][index]["errors"] == nil)
    }
  }

  /// Fills the places of a family in the slow lane, which is held.
  private static func fillLane(of server: TestServer, by client: Client) async -> [Task<Value, any Error>] {
    var waiting: [Task<Value, any Error>] = []
    for index in 0..<SlowLane.maximumOfCaller {
      let client = client.another
      waiting.append(Task { try await client.ask(slow) })
      while server.services.slowLane.waitingCount <= index { await Task.yield() }
    }
    return waiting
  }

  func loseNoEvent() async throws {
    // The event takes as long as the queries.
    let document = """
      subscription { familyChanged { ... on FamilyChanged { \
      family { name chores(first: 100) { totalCount nodes { name } } } } } }
      """
    let rename = { (name: String) in #"mutation { updateFamily(input: {name: "\#(name)"}) { family { name } } }"# }
    try await run { server, ada in
      let live = try await Listener.open(server.port, ada.parent, document).listening()
      var waiting: [Task<Value, any Error>] = []
      try await Self.holdingLane(of: server) {
        waiting = await Self.fillLane(of: server, by: ada.parent)
        _ = try await ada.parent.ask(rename("Byron"))
        // There is no event with a position, behind which the client would resume.
        #expect(try await live.rejection() == "OVERLOADED")
      }
      for task in waiting { Self.expectSlowAnswer(try await task.value) }
      let resumed = try await Listener.open(server.port, ada.parent, document, after: live.position)
      let missed = try await resumed.next()
      #expect(missed["errors"] == nil && missed["data.familyChanged.family.name"] == "Byron", "\(missed)")
      // It comes once: this is the next event.
      _ = try await ada.parent.ask(rename("Milbanke"))
      #expect(try await resumed.next()["data.familyChanged.family.name"] == "Milbanke")
    }
  }

  func areBounded() async throws {
    try await run { server, ada in
      let ben = try await Household(on: server, email: "ben@example.com", name: "Ben Other")
      for number in 0..<3 { _ = try await ben.addChore("Chore \(number)") }
      _ = try await ada.addChild("Mia", username: "mia")
      let mia = try await ada.signIn("mia")
      var waiting: [Task<Value, any Error>] = []
      try await Self.holdingLane(of: server) {
        waiting = await Self.fillLane(of: server, by: ada.parent)
        // The children of a family are no further callers.
        for client in [ada.parent, mia] {
          let rejected = try await client.post(Self.slow)
          #expect(rejected.json["errors.0.extensions.code"] == "OVERLOADED")
          #expect(rejected.json["errors.0.extensions.retryAfter"] == 5)
          #expect(rejected.status == 503 && rejected.headers["retry-after"] == "5", "\(rejected)")
        }
        // The requests of others are neither rejected nor slow.
        #expect(try await ben.parent.ask("{ family { chores { totalCount } } }")["data.family.chores.totalCount"] == 3)
      }
      for task in waiting { Self.expectSlowAnswer(try await task.value) }
    }
  }

  func areDropped() async throws {
    try await run { server, ada in
      let lane = server.services.slowLane
      let leaving = try TestSocket(port: server.port)
      var staying: Task<Value, any Error>?
      try await Self.holdingLane(of: server) {
        try leaving.send(Self.request(Self.slow, by: ada.parent))
        while lane.waitingCount == 0 { await Task.yield() }
        let client = ada.parent.another
        staying = Task { try await client.ask(Self.slow) }
        while lane.waitingCount == 1 { await Task.yield() }
        // So that what it is answered can still be read.
        leaving.sendEnd()
        // The only loop has noticed the disconnect when it answers later requests.
        for _ in 0..<3 { _ = try await server.visitor.ask("{ __typename }") }
      }
      let dropped = try await TestThread { String(decoding: try leaving.receiveAll(), as: UTF8.self) }.value
      #expect(dropped.contains(#""code":"REQUEST_CANCELLED""#) && !dropped.contains("totalCount"), "\(dropped)")
      Self.expectSlowAnswer(try await staying?.value)
    }
  }

  /// Slow queries run while chores are added, with a write-ahead log that is too long after a few of them.
  func areStoppedForTheLog() async throws {
    let filters = (0..<50).map { #"a\#($0): chores(filter: {query: "none \#($0)"}) { totalCount }"# }
    let document = "{ family { \(filters.joined(separator: " ")) } }"
    try await run(readSteps: 100_000_000, checkpointPages: 1) { server, ada in
      #expect(try await ada.parent.ask(document)["data.family.a49.totalCount"] == 0)
      let writer = ada.parent.another
      let writing = Task {
        while !Task.isCancelled {
          let added = try await writer.perform(Documents.addItem, ["input": ["name": "Tent"]])
          guard added.userErrors.isEmpty else { return false }
        }
        return true
      }
      var rejected: Value
      repeat { rejected = try await ada.parent.post(document).json } while rejected["errors"] == nil
      #expect(rejected["errors.0.message"] == "Too much is being read at this moment: try again in a few seconds.")
      #expect(rejected["errors.0.extensions.code"] == "OVERLOADED")
      #expect(rejected["errors.0.extensions.retryAfter"] == 5)
      writing.cancel()
      #expect(try await writing.value)
      #expect(try await ada.parent.ask(document)["data.family.a49.totalCount"] == 0)
      #expect(try await server.http.get("/metrics").text.contains("hearth_graphql_failures_total 0\n"))
    }
  }

  private static func request(_ document: String, by client: Client) -> String {
    let body = Value.object(["query": .string(document)]).text
    return """
      POST /graphql HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(client.token ?? "")\r\n\
      Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)
      """
  }

  func areRejectedPastTheLimit(loopSteps: Int) async throws {
    let log = RecordedLog()
    try await run(loopSteps: loopSteps, readSteps: 1_000, log: log.logger) { server, ada in
      let answer = try await ada.parent.ask(Self.slow)
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
