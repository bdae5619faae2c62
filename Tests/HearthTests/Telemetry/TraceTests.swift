import TestSupport
import Testing

@testable import Hearth

@Suite(
  "Traces of requests, as a collector receives them",
  .enabled(if: CollectorProcess.isAvailable, "Scripts/test installs the Python packages."),
  .timeLimit(.minutes(5))
)
struct TraceTests {
  private static let traceID = "0af7651916cd43dd8448eb211c80319c"
  private static let dashboard =
    "query Board($n: Int!) { family { name children { name assignedChores(first: $n) { nodes { name } } } } }"

  private static func run(
    configure: (inout Configuration) -> Void = { _ in },
    _ body: (TestServer, CollectorProcess) async throws -> Void
  ) async throws {
    let collector = try await CollectorProcess()
    try await TestServer.run(
      configure: {
        collector.configure(&$0)
        configure(&$0)
      }
    ) { server in try await body(server, collector) }
  }

  /// Sends a request with further headers.
  private func send(
    _ document: String,
    _ variables: Value = [:],
    as client: Client,
    _ headers: [(String, String)]
  ) async throws -> HTTPAnswer {
    let body: Value = ["query": .string(document), "variables": variables]
    let authorization = client.token.map { [("Authorization", "Bearer \($0)")] } ?? []
    return try await client.http.send(
      "POST",
      "/graphql",
      headers: [("Content-Type", "application/json")] + authorization + headers,
      body: Array(body.text.utf8)
    )
  }

  private func traceParent(flags: String = "01") -> [(String, String)] {
    [("Traceparent", "00-\(Self.traceID)-b7ad6b7169203331-\(flags)"), ("tracestate", "vendor=1,other=2")]
  }

  /// The spans of the trace with the last request of a name, once it has arrived.
  private func trace(of name: String, from collector: CollectorProcess) async throws -> [Value] {
    var count = 1
    while true {
      let spans = try await collector.spans(count)
      if let root = spans.last(where: { $0["name"] == .string(name) }) {
        return spans.filter { $0["trace"] == root["trace"] }
      }
      count = spans.count + 1
    }
  }

  @Test func `a query: preparation, levels and their statements, below the span of the client`() async throws {
    try await Self.run(configure: { $0.telemetry.ratio = 0 }) { server, collector in
      let ada = try await Household(on: server)
      for name in ["Mia", "Ben"] {
        let child = try await ada.addChild(name)
        for chore in ["Dust", "Sweep"] { _ = try await ada.addChore(chore, for: [child]) }
      }
      _ = try await send(Self.dashboard, ["n": 5], as: ada.parent, traceParent())
      let first = try await trace(of: "query Board", from: collector)
      #expect(Set(first.map { $0["trace"] }) == [.string(Self.traceID)])
      let root = try #require(first.first)
      #expect(root["parent"] == "b7ad6b7169203331" && root["kind"] == 2 && root["state"] == "vendor=1,other=2")
      #expect(root["service"] == "hearth" && root["version"] == .string(HearthVersion.current) && root["status"] == 0)
      let attributes = root["attributes"]
      #expect(attributes.member("graphql.operation.name") == "Board")
      #expect(attributes.member("graphql.operation.type") == "query")
      #expect(attributes.member("http.request.method") == "POST" && attributes.member("http.route") == "/graphql")
      let names = first.compactMap { $0["name"].string }
      #expect(names.count { ["prepare", "plan"].contains($0) } == 2)

      let levels = first.filter { $0["name"] == "level" }
      #expect(levels.map { $0["attributes"].member("graphql.level") } == [1, 2, 3, 4])
      #expect(levels.map { $0["attributes"].member("graphql.objects") } == [1, 2, 2, 4])
      let reads = first.filter { $0["name"] == "read" }
      let system: Value = server.database == .postgresql ? "postgresql" : "sqlite"
      #expect(reads.allSatisfy { $0["attributes"].member("db.system.name") == system && $0["kind"] == 3 })
      let parents = Set(levels.map { $0["id"] })
      #expect(reads.allSatisfy { parents.contains($0["parent"]) })
      // The family, its children, a page for each child, and the chores of the pages.
      let statements = reads.compactMap { $0["attributes"].member("db.operation.batch.size").int }.reduce(0, +)
      let rows = reads.compactMap { $0["attributes"].member("db.response.returned_rows").int }.reduce(0, +)
      // A database in another process also reads the session.
      if server.database == .sqlite { #expect([statements, rows] == [5, 11]) }
      #expect(Set(first.map { $0["id"] }).count == first.count)
      for span in first.dropFirst() {
        #expect(span["trace"] == root["trace"])
        let parent = try #require(first.first { $0["id"] == span["parent"] })
        #expect(number(parent, "start") <= number(span, "start"))
        #expect(number(span, "end") <= number(parent, "end"))
      }

      // From the cache, nothing is prepared.
      let before = try await collector.spans().count
      _ = try await send(Self.dashboard, ["n": 5], as: ada.parent, traceParent())
      let second = try await collector.spans(before + first.count - 2).dropFirst(before)
      #expect(second.count == first.count - 2)
      #expect(!second.compactMap { $0["name"].string }.contains { ["prepare", "plan"].contains($0) })
    }
  }

  private func number(_ span: Value, _ name: String) -> Double {
    if case .number(let number) = span[name] { number } else { .nan }
  }

  @Test func `a mutation: the wait for the writer and the write, also if it fails`() async throws {
    try await Self.run { server, collector in
      let ada = try await Household(on: server)
      _ = try await ada.parent.ask(
        "mutation Add { addItem(input: {name: \"Tent\"}) { item { name } userErrors { code } } }"
      )
      let added = try await trace(of: "mutation Add", from: collector)
      let root = try #require(added.first { $0["parent"] == "" })
      #expect(root["status"] == 0)
      let level = try #require(added.first { $0["name"] == "level" })
      let wait = try #require(added.first { $0["name"] == "wait for the writer" })
      let write = try #require(added.first { $0["name"] == "write" })
      #expect(wait["parent"] == level["id"] && write["parent"] == level["id"] && level["parent"] == root["id"])
      #expect(wait["end"] == write["start"] && wait["status"] == 0 && write["status"] == 0)
      #expect((write["attributes"].member("db.operation.batch.size").int ?? 0) > 1)

      // The session ends before the second write begins.
      let (parent, other) = (ada.parent, ada.parent.another)
      _ = try await server.atOnce([
        { try await parent.perform(Documents.signOut) },
        { try await other.perform("mutation Fail { addItem(input: {name: \"Rope\"}) { item { name } } }") },
      ])
      let failed = try await trace(of: "mutation Fail", from: collector)
      #expect(failed.filter { $0["name"] == "write" }.map { $0["status"] } == [2])
      let code = failed.first { $0["parent"] == "" }?["attributes"].member("error.type").string
      #expect(code != nil)
    }
  }

  @Test func `operations of WebSockets and event streams are traces`() async throws {
    try await Self.run { server, collector in
      let ada = try await Household(on: server)
      let socket = try await LiveSocket.open(server.port)
      try await socket.initialize(ada.parent.token)
      try await socket.subscribe("1", "query Live { family { name } }")
      _ = try await socket.receive()
      #expect(try await socket.receive() == complete("1"))
      // Answers the server's pings meanwhile: without answers, the server closes the socket.
      async let received = socket.receive()
      let live = try await trace(of: "query Live", from: collector)
      let root = try #require(live.first { $0["parent"] == "" })
      #expect(root["attributes"].member("network.protocol.name") == "websocket")
      #expect(live.contains { $0["name"] == "level" } && live.contains { $0["name"] == "read" })
      let pong = TestWebSocket.Frame.text(#"{"type":"pong"}"#)
      try await socket.send(#"{"type":"ping"}"#)
      let answer = try await received
      #expect(answer == pong)
      try await socket.subscribe("2", "subscription Follow { familyChanged { __typename } }")
      try await socket.send(#"{"type":"ping"}"#)
      #expect(try await socket.receive() == pong)
      let follow = try await trace(of: "subscription Follow", from: collector)
      #expect(follow.first?["attributes"].member("graphql.operation.type") == "subscription")
      _ = try await send(
        "query Stream { family { name } }",
        as: ada.parent,
        [("Accept", "text/event-stream")] + traceParent()
      )
      let stream = try await trace(of: "query Stream", from: collector)
      #expect(stream.first?["trace"] == .string(Self.traceID))
    }
  }

  @Test func `neither variables nor people are in a trace, and hostile values are bounded`() async throws {
    try await Self.run { server, collector in
      let ada = try await Household(on: server)
      let child = try await ada.addChild("Mia-of-secrets", username: "mia")
      _ = try await ada.addChore("A private chore", for: [child])
      _ = try await ada.parent.ask(
        "query All { family { name children { name } chores(first: 9) { nodes { name } } } }"
      )
      _ = try await ada.parent.post("query Wrong { family(id: \"private\") { nothing } }")
      let name = String(repeating: "x", count: 3_000)
      _ = try await ada.parent.ask("query \(name) { family { name } }")
      let shortened = try await trace(of: "query " + name.prefix(100), from: collector)
      #expect(shortened.first?["attributes"].member("graphql.operation.name").string?.count == 100)
      let spans = try await collector.spans()
      let invalid = spans.filter { $0["name"] == "GraphQL" }.map { $0["attributes"].member("error.type") }
      #expect(invalid == ["GRAPHQL_VALIDATION_FAILED"])
      let text = spans.map(\.text).joined()
      for secret in ["ada@example.com", "Lovelace", "secrets", "rivate", Household.password, "eyJ", ada.personID] {
        #expect(!text.contains(secret), "\(secret)")
      }
      let before = Set(spans.map { $0["trace"] })
      for parent in [
        "", "00", "zz-\(Self.traceID)-b7ad6b7169203331-01", "ff-\(Self.traceID)-b7ad6b7169203331-01",
        "00-\(String(repeating: "0", count: 32))-b7ad6b7169203331-01", "00-\(Self.traceID)-0000000000000000-01",
        "00-\(Self.traceID)-b7ad6b7169203331-01-more", "00-\(Self.traceID.uppercased())-b7ad6b7169203331-01",
        String(repeating: "0", count: 4_000),
      ] {
        _ = try await send("query Odd { family { name } }", as: ada.parent, [("traceparent", parent)])
      }
      let state = String(repeating: "a", count: 600)
      _ = try await send(
        "query Long { family { name } }",
        as: ada.parent,
        [("traceparent", "00-\(Self.traceID)-b7ad6b7169203331-01"), ("tracestate", state)]
      )
      let long = try await trace(of: "query Long", from: collector)
      #expect(long.first?["state"] == "" && long.first?["trace"] == .string(Self.traceID))
      let odd = try await collector.spans().filter { $0["name"] == "query Odd" }
      let all = Set(odd.map { $0["trace"] }).union(before)
      #expect(odd.count == 9 && all.count == before.count + 9)
      #expect(odd.allSatisfy { $0["parent"] == "" })
    }
  }

  @Test func `the client's decision, or else the ratio, says what is traced`() async throws {
    try await Self.run(configure: { $0.telemetry.ratio = 0 }) { server, collector in
      let ada = try await Household(on: server)
      _ = try await ada.parent.ask("query Unsampled { family { name } }")
      _ = try await send("query Not { family { name } }", as: ada.parent, traceParent(flags: "00"))
      _ = try await send("query Sampled { family { name } }", as: ada.parent, traceParent(flags: "03"))
      let names = try await trace(of: "query Sampled", from: collector).map { $0["name"] }
      #expect(names.contains("query Sampled"))
      #expect(try await collector.spans().allSatisfy { $0["trace"] == .string(Self.traceID) })
    }
    let sampler = TraceSampler(ratio: 0.1)
    let count = (0..<10_000).count { _ in sampler.begin(nil, route: "/") != nil }
    // Six standard deviations.
    #expect((820...1_180).contains(count))
  }
}

extension Value {
  /// A member whose name has dots.
  func member(_ name: String) -> Value {
    if case .object(let members) = self { members[name] ?? .null } else { .null }
  }
}
