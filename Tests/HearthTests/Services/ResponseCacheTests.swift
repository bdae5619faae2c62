import Foundation
import GraphQLTransport
import Storage
import TestSupport
import Testing

@testable import Hearth

/// A response is sent again to equal requests while nothing that it depends on has changed. Debug builds, such as this
/// one, also execute each of these requests, and stop if the execution gives another response.
@Suite("Responses that are sent again", .timeLimit(.minutes(20)))
struct ResponseCacheTests {
  private static let family = "{ family { id name children { id name } items(first: 10) { nodes { name } } } }"
  /// The responses are not kept that read more than the rows of a family or a member. With SQLite they are, and end
  /// with a commit that changes one of their tables.
  private static var keepsAll: Bool { TestDatabase.configured != .postgresql }
  private static let ages = "{ family { children { name age } } }"

  /// One loop, so that all connections share a cache. Versions are not known of reads that tests defer.
  private static func run(
    loops: Int = 1,
    bytes: Int = 1 << 20,
    startingLater seconds: Int64 = 0,
    configure: (inout Configuration) -> Void = { _ in },
    _ body: (TestServer) async throws -> Void
  ) async throws {
    try await TestServer.run(
      loops: loops,
      startingLater: seconds,
      database: TestDatabase.configured == .postgresql ? .postgresql : .sqlite,
      configure: { configuration in
        configuration.responseCacheBytes = bytes
        configuration.accessTokenLifetime = 3 * 86_400
        configure(&configuration)
      },
      body
    )
  }

  /// How many of the requests of `body` were answered with the response to an earlier one.
  private static func hits(on server: TestServer, _ body: () async throws -> Void) async throws -> Int {
    let before = server.services.responseCacheCounts.hitCount
    try await body()
    return server.services.responseCacheCounts.hitCount - before
  }

  /// Makes requests of which exactly `count` are answered with an earlier response. Work of the server that follows a
  /// write or a change of the clock commits too, and nothing is kept or sent again while a commit is in progress: fewer
  /// are then, and the requests are made again.
  private static func expectHits(
    _ count: Int,
    on server: TestServer,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
  ) async throws {
    var seen: [Int] = []
    repeat {
      try await server.services.database.write { _ in }
      seen.append(try await hits(on: server, body))
    } while seen.count < 20 && seen.last != count && seen.allSatisfy({ $0 <= count })
    #expect(seen.last == count, "\(seen)", sourceLocation: sourceLocation)
  }

  /// Makes a request that is not answered with an earlier response, and expects that one to be kept.
  private static func keep(
    on server: TestServer,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ request: () async throws -> Void
  ) async throws {
    try await expectHits(0, on: server, sourceLocation: sourceLocation, request)
    try await expectHits(1, on: server, sourceLocation: sourceLocation, request)
  }

  @Test func `are the same bytes until the data changes`() async throws {
    try await Self.run { server in
      let ada = try await Household(on: server)
      let first = try await ada.parent.post(Self.family).body
      try await Self.expectHits(2, on: server) {
        for client in [ada.parent, ada.parent.another] {
          let again = try await client.post(Self.family).body
          #expect(again == first)
        }
      }
      _ = try await ada.addItem("Tent")
      let hitsAfterwards = try await Self.hits(on: server) {
        let items = try await ada.parent.ask(Self.family)["data.family.items.nodes"]
        #expect(items.each("name") == ["Tent"])
      }
      #expect(hitsAfterwards == 0)
    }
  }

  @Test func `remain valid when data changes that they do not depend on`() async throws {
    try await Self.run { server in
      let ada = try await Household(on: server)
      let own = [
        Self.family,
        "{ family { name parents { name } chores(first: 9) { nodes { name } } } viewer { ... on Account { email } } }",
        "{ viewer { ... on Account { unreadNotificationCount contacts(first: 9) { totalCount } } } }",
      ]
      for document in own { try await Self.keep(on: server) { _ = try await ada.parent.ask(document) } }
      // The profile of a person can be that of anybody.
      let others = #"{ node(id: "\#(ada.personID)") { ... on Person { name } } }"#
      if Self.keepsAll { try await Self.keep(on: server) { _ = try await ada.parent.ask(others) } }
      // A new session changes no table of the queries.
      try await Self.expectHits(Self.keepsAll ? 4 : 3, on: server) {
        _ = try await Self.signInAgain(ada)
        for document in own + [others] { _ = try await ada.parent.ask(document) }
      }
      let grace = try await Household(on: server, email: "grace@example.com")
      _ = try await grace.addItem("Tent")
      _ = try await grace.addChild("Mia", username: "mia")
      try await Self.expectHits(3, on: server) { for document in own { _ = try await ada.parent.ask(document) } }
      try await Self.expectHits(0, on: server) { _ = try await ada.parent.ask(others) }
      try await Self.expectHits(Self.keepsAll ? 1 : 0, on: server) { _ = try await ada.parent.ask(others) }
    }
  }

  /// A second session of the household's parent.
  private static func signInAgain(_ household: Household) async throws -> Client {
    let signedIn = try await household.parent.with(token: nil).perform(
      Documents.signIn,
      ["input": ["email": .string(household.email), "password": .string(Household.password)]]
    )
    let token: String = try #require(signedIn["credentials.accessToken"].string)
    return household.parent.with(token: token)
  }

  @Test func `are shared by the members of a family if they show nothing of the caller`() async throws {
    try await Self.run { server in
      let ada = try await Household(on: server)
      _ = try await ada.addChild("Mia", username: "mia")
      let clients = [try await ada.signIn("mia"), try await Self.signInAgain(ada), ada.parent]
      let grace = try await Household(on: server, email: "grace@example.com")
      _ = try await grace.addItem("Rope")
      let before = try await ada.parent.post(Self.family).body
      // Five devices hear of one change.
      _ = try await ada.addItem("Tent")
      let hits = try await Self.hits(on: server) {
        let answer = try await ada.parent.post(Self.family).body
        #expect(answer != before)
        for client in clients + [clients[0].another, clients[1].another] {
          #expect(try await client.post(Self.family).body == answer)
        }
      }
      // Work that follows the write can commit meanwhile.
      #expect(hits >= 4)
      try await Self.expectHits(3, on: server) { for client in clients { _ = try await client.ask(Self.family) } }
      try await Self.keep(on: server) {
        let elsewhere = try await grace.parent.ask(Self.family)["data.family.items.nodes"]
        #expect(elsewhere.each("name") == ["Rope"])
      }
    }
  }

  @Test func `are those of one member if they show the caller, for all sessions`() async throws {
    try await Self.run { server in
      let ada = try await Household(on: server)
      _ = try await ada.addChild("Mia", username: "mia")
      let child = try await ada.signIn("mia")
      let again = try await Self.signInAgain(ada)
      let grace = try await Household(on: server, email: "grace@example.com")
      let document = "{ family { id } viewer { __typename ... on Account { email } ... on Child { username } } }"
      func expectOwn() async throws {
        for parent in [ada.parent, again] {
          let seen = try await parent.ask(document)["data"]
          #expect(seen["family.id"] == .string(ada.familyID))
          #expect(seen["viewer.email"] == .string(ada.email))
        }
        let seenByChild = try await child.ask(document)["data"]
        let seenElsewhere = try await grace.parent.ask(document)["data"]
        #expect(seenByChild["family.id"] == .string(ada.familyID))
        #expect(seenByChild["viewer.username"] == "mia")
        #expect(seenElsewhere["family.id"] == .string(grace.familyID))
        #expect(seenElsewhere["viewer.email"] == .string(grace.email))
      }
      let hits = try await Self.hits(on: server, expectOwn)
      #expect(hits <= 1)
      try await Self.expectHits(4, on: server, expectOwn)
    }
  }

  @Test func `are not those of devices, which show the session and end with it`() async throws {
    try await Self.run { server in
      let ada = try await Household(on: server)
      let again = try await Self.signInAgain(ada)
      #expect(try await ada.parent.register(D15DeviceTests.subscription()).userErrors == [])
      let document = "{ viewer { ... on Account { devices { name current } } } }"
      let hits = try await Self.hits(on: server) {
        for _ in 0..<2 {
          let seen = try await ada.parent.ask(document)["data.viewer.devices"]
          let seenAgain = try await again.ask(document)["data.viewer.devices"]
          #expect(seen.each("current") == [true])
          #expect(seenAgain.each("current") == [false])
        }
      }
      #expect(hits == 0)
    }
  }

  @Test func `are those of one address of the server`() async throws {
    try await Self.run { server in
      let ada = try await Household(on: server)
      let token = try #require(ada.parent.token)
      let body = #"{"query":"{ viewer { ... on Account { avatar { url } } } }"}"#
      func url(_ host: String) async throws -> String {
        let answer = try await TestThread {
          let socket = try TestSocket(port: server.port)
          try socket.send(
            Array(
              """
              POST /graphql HTTP/1.1\r\nHost: \(host)\r\nAuthorization: Bearer \(token)\r\n\
              Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)
              """.utf8
            )
          )
          return try socket.httpAnswer()
        }.value
        return try #require(try Value(answer.body)["data.viewer.avatar.url"].string, "\(answer.text)")
      }
      for host in ["one.example", "other.example"] {
        try await Self.keep(on: server) {
          let found = try await url(host)
          #expect(found.hasPrefix("http://\(host)/"))
        }
      }
    }
  }

  @Test func `depend on the operation and on the variables`() async throws {
    try await Self.run { server in
      let ada = try await Household(on: server)
      for name in ["Tent", "Rope"] { _ = try await ada.addItem(name) }
      let document = """
        query Two($first: Int) { family { items(first: $first) { nodes { name } } } }
        query Named($first: Int) { family { name items(first: $first) { nodes { id } } } }
        """
      var answers: Set<String> = []
      for (first, name) in [(1, "Two"), (2, "Two"), (1, "Named")] as [(Double, String)] {
        try await Self.keep(on: server) {
          answers.insert(
            try await ada.parent.post(document, ["first": .number(first)], operationName: name).text
          )
        }
      }
      #expect(answers.count == 3)
    }
  }

  @Test func `end with a write that came from another loop`() async throws {
    try await Self.run(loops: 2) { server in
      let ada = try await Household(on: server)
      // Connections are dealt out to the loops in turn.
      let (one, other) = (ada.parent.another, ada.parent.another)
      for number in 1...20 {
        let (reader, writer) = number.isMultiple(of: 2) ? (one, other) : (other, one)
        _ = try await reader.ask("{ family { items(first: 100) { totalCount } } }")
        _ = try await writer.perform(Documents.addItem, ["input": ["name": "Tent"]])
        let seen = try await reader.ask("{ family { items(first: 100) { totalCount } } }")
        #expect(seen["data.family.items.totalCount"] == .number(Double(number)))
      }
    }
  }

  @Test func `with an age end at midnight`() async throws {
    try await Self.run { server in
      let ada = try await Household(on: server)
      // The clock shows 08:00 UTC on 21 November 2026.
      let born: Value = ["name": "Mia", "birth": ["dateOfBirth": "2018-11-22"]]
      _ = try await ada.parent.perform(Documents.addChild, ["input": born])
      func expectAge(_ age: Double) async throws {
        let ages = try await ada.parent.ask(Self.ages)["data.family.children"].each("age")
        #expect(ages == [.number(age)])
      }
      try await Self.keep(on: server) { try await expectAge(7) }
      server.clock.advance(seconds: 16 * 3600 - 1)
      try await Self.expectHits(1, on: server) { try await expectAge(7) }
      server.clock.advance(seconds: 1)
      try await Self.keep(on: server) { try await expectAge(8) }
      // The clock is set back.
      server.clock.advance(seconds: -1)
      try await Self.expectHits(0, on: server) { try await expectAge(7) }
    }
  }

  @Test func `with an age are not kept on days on which clocks change`() async throws {
    // On 28 March 2027, at 01:00 in Berlin.
    try await Self.run(startingLater: 126 * 86_400 + 16 * 3600) { server in
      let ada = try await Household(on: server)
      _ = try await ada.addChild("Mia")
      _ = try await ada.parent.perform(Documents.updateFamily, ["input": ["timeZone": "Europe/Berlin"]])
      func expectAge() async throws {
        let ages = try await ada.parent.ask(Self.ages)["data.family.children"].each("age")
        #expect(ages == [8])
      }
      for _ in 0..<2 {
        try await Self.expectHits(0, on: server) { for _ in 0..<2 { try await expectAge() } }
        server.clock.advance(seconds: 5 * 60)
      }
      server.clock.advance(days: 1)
      try await Self.keep(on: server) { try await expectAge() }
    }
  }

  @Test func `are not kept if they depend on the time`() async throws {
    try await Self.run { server in
      let ada = try await Household(on: server)
      let document = "{ viewer { ... on Account { sessions { id } } } family { invitations { id } } }"
      let hits = try await Self.hits(on: server) {
        for _ in 0..<3 { _ = try await ada.parent.ask(document) }
      }
      #expect(hits == 0)
    }
  }

  @Test func `are not responses with errors, to visitors, or to mutations`() async throws {
    try await Self.run { server in
      let ada = try await Household(on: server)
      let hits = try await Self.hits(on: server) {
        for _ in 0..<3 {
          _ = try await ada.parent.post("{ family { items(first: -1) { totalCount } } }")
          _ = try await server.visitor.post(Self.family)
          _ = try await server.visitor.post("{ __typename }")
          _ = try await ada.parent.post(#"mutation { updateFamily(input: { name: "Lovelace" }) { family { name } } }"#)
        }
      }
      #expect(hits == 0)
    }
  }

  @Test func `end with the session`() async throws {
    try await Self.run { server in
      let ada = try await Household(on: server)
      for _ in 0..<2 { _ = try await ada.parent.ask(Self.family) }
      _ = try await ada.parent.another.perform(Documents.signOut)
      let answer = try await ada.parent.post(Self.family)
      #expect(try Value(answer.body)["errors"].each("extensions.code") == ["TOKEN_REVOKED"])
    }
  }

  @Test func `of a family displace only its own, and those that are used last`() async throws {
    try await Self.run(bytes: 64_000) { server in
      let ada = try await Household(on: server)
      let grace = try await Household(on: server, email: "grace@example.com")
      try await Self.keep(on: server) { _ = try await grace.parent.ask(Self.family) }
      try await Self.keep(on: server) { _ = try await ada.parent.ask(Self.family) }
      for number in 1...40 {
        try await Self.keep(on: server) { _ = try await ada.parent.ask("{ family { a\(number): name } }") }
        try await Self.expectHits(1, on: server) { _ = try await ada.parent.ask(Self.family) }
      }
      let hits = try await Self.hits(on: server) {
        for number in 1...3 { _ = try await ada.parent.ask("{ family { a\(number): name } }") }
      }
      #expect(hits == 0)
      #expect(server.services.responseCacheCounts.byteCount <= 64_000 / 16 * 2)
      try await Self.expectHits(1, on: server) { _ = try await grace.parent.ask(Self.family) }
      // A long one is not kept.
      let long = "{ family { " + (1...200).map { "c\($0): name" }.joined(separator: " ") + " } }"
      try await Self.expectHits(0, on: server) { for _ in 0..<2 { _ = try await ada.parent.ask(long) } }
    }
  }

  @Test func `take at most the configured number of bytes`() async throws {
    try await Self.run(bytes: 20_000) { server in
      let counts = server.services.responseCacheCounts
      var households: [Household] = []
      for number in 1...30 { households.append(try await Household(on: server, email: "ada\(number)@example.com")) }
      for household in households {
        for name in ["a", "b", "c"] {
          try await Self.keep(on: server) { _ = try await household.parent.ask("{ family { \(name): name } }") }
          #expect(counts.byteCount <= 20_000)
        }
        // What is used stays, in spite of the others.
        try await Self.expectHits(3, on: server) {
          for name in ["a", "b", "c"] { _ = try await households[0].parent.ask("{ family { \(name): name } }") }
        }
      }
      #expect(counts.byteCount > 15_000)
      let hits = try await Self.hits(on: server) { _ = try await households[1].parent.ask("{ family { a: name } }") }
      #expect(hits == 0)
    }
  }

  @Test func `are not kept if that is switched off`() async throws {
    try await Self.run(bytes: 0) { server in
      let ada = try await Household(on: server)
      try await Self.expectHits(0, on: server) { for _ in 0..<3 { _ = try await ada.parent.ask(Self.family) } }
      #expect(server.services.responseCacheCounts.byteCount == 0)
    }
  }

  @Test func `are counted`() async throws {
    try await Self.run { server in
      let ada = try await Household(on: server)
      _ = try await ada.parent.ask(Self.family)
      var requests = 1.0
      try await Self.expectHits(2, on: server) {
        for _ in 0..<2 { _ = try await ada.parent.ask(Self.family) }
        requests += 2
      }
      let metrics = try PrometheusMetrics(try await server.http.get("/metrics").text)
      #expect(metrics["hearth_response_cache_hits_total"] == Double(server.services.responseCacheCounts.hitCount))
      #expect(metrics["hearth_response_cache_hits_total"] >= 2)
      #expect(metrics["hearth_response_cache_bytes"] > 100)
      // With the registration of the household.
      #expect(metrics["hearth_graphql_request_duration_seconds_count", ["outcome": "ok"]] == requests + 1)
    }
  }

  /// Readers on both loops ask while another client writes. Each response contains every write that was acknowledged
  /// before its request began.
  @Test func `are never older than an acknowledged write`() async throws {
    try await Self.run(loops: 2) { server in
      let ada = try await Household(on: server)
      let acknowledged = Counter()
      let document = "{ family { items(first: 1) { totalCount } } }"
      let writes = 60
      let hits = try await Self.hits(on: server) {
        try await withThrowingTaskGroup(of: Void.self) { tasks in
          for _ in 0..<4 {
            let reader = ada.parent.another
            tasks.addTask {
              var seen = 0
              while seen < writes {
                let known = acknowledged.count
                let count = try await reader.ask(document)["data.family.items.totalCount"]
                guard case .number(let number) = count else { throw BadCount(count: count) }
                seen = Int(number)
                #expect(seen >= known)
              }
            }
          }
          for number in 1...writes {
            _ = try await ada.addItem("Tent \(number)")
            acknowledged.increment()
          }
          try await tasks.waitForAll()
        }
      }
      #expect(hits > 0)
    }
  }

  private struct BadCount: Error { let count: Value }
}
