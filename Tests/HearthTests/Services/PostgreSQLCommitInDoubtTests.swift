import Storage
import TestSupport
import Testing

@testable import Hearth

/// A connection that is lost during COMMIT: the outcome is found out, and the positions of the events are not known.
@Suite(
  "A commit whose answer is lost",
  .enabled(if: PostgreSQLCluster.isInstalled, "Scripts/install-postgresql installs PostgreSQL."),
  .timeLimit(.minutes(5))
)
struct PostgreSQLCommitInDoubtTests {
  private static let items = "subscription { familyChanged { ... on ItemChanged { item { name } } } }"

  @Test func `has its events delivered by all processes, once and soon`() async throws {
    let directory = try TemporaryDirectory()
    let cluster = try await PostgreSQLCluster.shared()
    let proxy = try CuttingProxy(to: "\(cluster.folder)/.s.PGSQL.\(cluster.port)", [])
    let name = try await ServerDatabases.name(forFolder: directory.path)
    let url = "postgresql://hearth@127.0.0.1:\(proxy.port)/\(name)?sslmode=disable"
    try await TestServer.runSeveral(2, in: directory, configure: { $0.databaseURL = url }) { servers in
      let ada = try await Household(on: servers[0])
      var listeners: [Listener] = []
      for server in servers {
        await server.deliverMail()
        listeners.append(try await Listener.open(server.port, ada.parent.at(server), Self.items).listening())
      }
      let start = ContinuousClock.now
      var positions = [Set<Int64>](repeating: [], count: servers.count)
      for round in 0..<4 {
        // The others have answers.
        if round.isMultiple(of: 2) { proxy.cutNext(.afterCommit) }
        _ = try await ada.addItem("Item \(round)")
        for (index, listener) in listeners.enumerated() {
          let event = try await listener.next()
          #expect(event["data.familyChanged.item.name"] == .string("Item \(round)"))
          let position = try #require(event["extensions.position"].string)
          positions[index].insert(try #require(servers[index].services.cipher.position(of: position)))
        }
      }
      // Everything is read every 30 seconds.
      #expect(ContinuousClock.now - start < .seconds(15))
      #expect(servers[0].services.database.postgreSQLStatistics.commitsInDoubt == 2)
      #expect(positions[0].count == 4 && positions[0] == positions[1])
    }
    try await ServerDatabases.drop(forFolder: directory.path)
  }
}
