import Storage
import TestSupport
import Testing

@testable import Hearth

@Suite(
  "Events of writes that happen at once on PostgreSQL",
  .enabled(if: PostgreSQLCluster.isInstalled, "Scripts/install-postgresql installs PostgreSQL."),
  .timeLimit(.minutes(5))
)
struct PostgreSQLEventOrderTests {
  private static let items = "subscription { familyChanged { ... on ItemChanged { item { name } } } }"

  @Test func `arrive in the order of their positions, each once, also when the writer's connection is lost`()
    async throws
  {
    try await TestServer.run(loops: 2, database: .postgresql) { server in
      let ada = try await Household(on: server)
      let device = try await Listener.open(server.port, ada.parent, Self.items).listening()
      let start = try #require(device.position)
      let name = try await ServerDatabases.name(forFolder: server.directory.path)
      let cluster = try await PostgreSQLCluster.shared()
      let parent = ada.parent
      let names = (0..<200).map { "Item \($0)" }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for name in names {
          group.addTask { _ = try await parent.perform(Documents.addItem, ["input": ["name": .string(name)]]) }
        }
        for _ in 1...3 {
          // The connection that writes holds the lock of the database.
          try await cluster.execute(
            """
            SELECT pg_terminate_backend(l.pid, 10000) FROM pg_locks AS l JOIN pg_database AS d ON d.oid = l.database
            WHERE l.locktype = 'advisory' AND d.datname = '\(name)'
            """
          )
        }
        try await group.waitForAll()
      }
      // One who resumes gets the same.
      let late = try await Listener.open(server.port, ada.parent, Self.items, after: start)
      for listener in [device, late] {
        var (received, positions): ([String], [Int64]) = ([], [])
        for _ in names {
          let event = try await listener.next()
          received.append(try #require(event["data.familyChanged.item.name"].string))
          let position = try #require(event["extensions.position"].string)
          positions.append(try #require(server.services.cipher.position(of: position)))
        }
        #expect(received.sorted() == names.sorted())
        let last = try #require(server.services.cipher.position(of: start))
        #expect(positions == Array(last + 1...last + 200))
      }
      // A connection that was lost during a commit that took effect does not count as replaced.
      let statistics = server.services.database.postgreSQLStatistics
      #expect(statistics.reconnections + statistics.commitsInDoubt > 0)
    }
  }
}
