import TestSupport
import Testing

@testable import Hearth
@testable import Storage

/// A PostgreSQL server that takes too long for a moment, as behind the lock of a statement that changes a table.
@Suite(
  "Slowness of PostgreSQL",
  .enabled(if: PostgreSQLCluster.isInstalled, "Scripts/install-postgresql installs PostgreSQL.")
)
struct PostgreSQLSlownessTests {
  private static func shortenReads(_ configuration: inout Configuration) {
    configuration.databaseLimits.postgreSQL.readTime = .milliseconds(500)
  }

  @Test func `a statement that takes too long ends and is logged, and the server is not out of order`() async throws {
    let log = RecordedLog()
    let document = "{ family { items(first: 1) { nodes { name } } } }"
    try await TestServer.run(
      loops: 1,
      database: .postgresql,
      log: log.logger,
      configure: Self.shortenReads
    ) { server in
      let ada = try await Household(on: server)
      let slow = try await server.locking("item") { try await ada.parent.ask(document) }
      #expect(slow["errors.0.extensions.code"] == "STORAGE_UNAVAILABLE", "\(slow)")
      #expect(try await server.http.get("/ready").text == "ready\n")
      #expect(try await ada.parent.ask(document)["errors"] == nil)
      let lines = log.messages.filter { $0.hasPrefix("The database took too long for a read.") }
      #expect(lines.count == 1 && lines[0].contains("57014"), "\(lines)")
    }
  }

  @Test func `an event that takes too long ends the subscription, which resumes with it`() async throws {
    // A part of the event can be read.
    let document = """
      subscription { familyChanged { ... on FamilyChanged { family { name items(first: 1) { nodes { name } } } } } }
      """
    try await TestServer.run(loops: 1, database: .postgresql, configure: Self.shortenReads) { server in
      let ada = try await Household(on: server)
      _ = try await ada.addItem("Tent")
      let live = try await Listener.open(server.port, ada.parent, document).listening()
      let code = try await server.locking("item") {
        _ = try await ada.parent.ask(#"mutation { updateFamily(input: {name: "Byron"}) { family { name } } }"#)
        return try await live.rejection()
      }
      #expect(code == "STORAGE_UNAVAILABLE")
      let resumed = try await Listener.open(server.port, ada.parent, document, after: live.position)
      let event = try await resumed.next()
      #expect(event["errors"] == nil, "\(event)")
      #expect(event["data.familyChanged.family.name"] == "Byron", "\(event)")
      #expect(event["data.familyChanged.family.items.nodes.0.name"] == "Tent", "\(event)")
    }
  }

  @Test func `a subscription whose missed events take too long can be resumed later`() async throws {
    let document = "subscription { familyChanged { ... on ItemChanged { item { name } } } }"
    try await TestServer.run(loops: 1, database: .postgresql, configure: Self.shortenReads) { server in
      let ada = try await Household(on: server)
      let position = try #require(try await Listener.open(server.port, ada.parent, document).listening().position)
      _ = try await ada.addItem("Tent")
      let code = try await server.locking("family_event") {
        try await Listener.open(server.port, ada.parent, document, after: position).rejection()
      }
      #expect(code == "STORAGE_UNAVAILABLE")
      let resumed = try await Listener.open(server.port, ada.parent, document, after: position)
      #expect(try await resumed.next()["data.familyChanged.item.name"] == "Tent")
    }
  }
}
