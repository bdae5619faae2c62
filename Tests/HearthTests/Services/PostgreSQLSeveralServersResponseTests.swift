import GraphQLTransport
import TestSupport
import Testing

@testable import Hearth

/// A server sends a response again only as long as no other server has changed what it shows. Debug builds also execute
/// each of these requests in the same snapshot, and stop at a difference.
@Suite(
  "Responses that are sent again, at several servers on one database",
  .enabled(if: PostgreSQLCluster.isInstalled, "Scripts/install-postgresql installs PostgreSQL."),
  .timeLimit(.minutes(10))
)
struct PostgreSQLSeveralServersResponseTests {
  private static let items = "{ family { id items(first: 100) { totalCount nodes { name } } } }"

  /// One loop each, so that all connections to a server share a cache.
  private static func run(_ body: ([TestServer]) async throws -> Void) async throws {
    try await TestServer.runSeveral(2, configure: { $0.responseCacheBytes = 1 << 20 }, body)
  }

  private static func hits(on server: TestServer, _ body: () async throws -> Void) async throws -> Int {
    let before = server.services.responseCacheCounts.hitCount
    try await body()
    return server.services.responseCacheCounts.hitCount - before
  }

  @Test func `end with a write at another server`() async throws {
    try await Self.run { servers in
      let ada = try await Household(on: servers[0])
      for number in 1...10 {
        let (reader, writer) = (ada.at(servers[number % 2]), ada.at(servers[(number + 1) % 2]))
        let hits = try await Self.hits(on: servers[number % 2]) {
          for _ in 0..<3 { _ = try await reader.parent.ask(Self.items) }
        }
        #expect(hits >= 2)
        _ = try await writer.addItem("Tent")
        let seen = try await reader.parent.ask(Self.items)["data.family.items.totalCount"]
        #expect(seen == .number(Double(number)))
      }
    }
  }

  @Test func `remain valid when other families write at another server`() async throws {
    try await Self.run { servers in
      let ada = try await Household(on: servers[0])
      let grace = try await Household(on: servers[1], email: "grace@example.com")
      _ = try await ada.parent.ask(Self.items)
      let hits = try await Self.hits(on: servers[0]) {
        for _ in 0..<5 {
          _ = try await grace.addItem("Rope")
          _ = try await ada.parent.ask(Self.items)
        }
      }
      #expect(hits == 5)
    }
  }

  @Test func `end with a session that ended at another server`() async throws {
    try await Self.run { servers in
      let ada = try await Household(on: servers[0])
      for _ in 0..<2 { _ = try await ada.parent.ask(Self.items) }
      _ = try await ada.at(servers[1]).parent.perform(Documents.signOut)
      let answer = try await ada.parent.post(Self.items)
      #expect(try Value(answer.body)["errors"].each("extensions.code") == ["TOKEN_REVOKED"])
    }
  }

  /// Readers at one server ask while others write there and elsewhere. Each response contains every write that was
  /// acknowledged before its request began.
  @Test func `are never older than an acknowledged write`() async throws {
    try await Self.run { servers in
      let ada = try await Household(on: servers[0])
      let acknowledged = Counter()
      let writes = 60
      let hits = try await Self.hits(on: servers[0]) {
        try await withThrowingTaskGroup(of: Void.self) { tasks in
          for _ in 0..<4 {
            let reader = ada.parent.another
            tasks.addTask {
              var seen = 0
              while seen < writes {
                let known = acknowledged.count
                let names = try await reader.ask(Self.items)["data.family.items.nodes"].each("name")
                seen = names.count
                try #require(seen >= known)
              }
            }
          }
          for server in servers {
            let writer = ada.at(server)
            tasks.addTask {
              for _ in 0..<writes / servers.count {
                _ = try await writer.addItem("Tent")
                acknowledged.increment()
              }
            }
          }
          try await tasks.waitForAll()
        }
      }
      #expect(hits > 0)
    }
  }
}
