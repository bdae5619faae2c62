import Storage
import TestSupport
import Testing

@testable import Hearth

@Suite(
  "A PostgreSQL database that accepts no further connections",
  .enabled(if: PostgreSQLCluster.isInstalled, "Scripts/install-postgresql installs PostgreSQL."),
  .timeLimit(.minutes(5))
)
struct PostgreSQLRejectedConnectionTests {
  @Test func `requests wait for the connections that are open, and open more when they can`() async throws {
    try await TestServer.run(loops: 1, database: .postgresql) { server in
      let ada = try await Household(on: server)
      let cluster = try await PostgreSQLCluster.shared()
      let database = try await ServerDatabases.name(forFolder: server.directory.path)
      let connections = "SELECT count(*) FROM pg_stat_activity WHERE datname = '\(database)'"
      func openConnections() async throws -> Int {
        try #require(Int(try await cluster.execute(connections + ";").filter(\.isNumber)))
      }
      let before = try await openConnections()
      // Unlike CONNECTION LIMIT, it is also valid for the superuser of the tests.
      try await cluster.execute("ALTER DATABASE \(database) ALLOW_CONNECTIONS false;")
      for _ in 0..<5 { #expect(try await Self.answers(ada.parent) == Array(repeating: "Lovelace family", count: 60)) }
      // The server may have closed one that only starts needed.
      let now = try await openConnections()
      #expect(now <= before, "\(now), and \(before) before")
      try await cluster.execute("ALTER DATABASE \(database) ALLOW_CONNECTIONS true;")
      while try await openConnections() <= before { _ = try await Self.answers(ada.parent) }
    }
  }

  /// Sends many requests at once, more than one snapshot serves. Returns what they get, or their errors.
  private static func answers(_ client: Client) async throws -> [String] {
    try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<60 {
        group.addTask {
          let answer = try await client.post("{ family { name } }")
          return try Value(answer.body)["data.family.name"].string ?? "\(answer.text)"
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }
}
