import Storage
import Testing

@testable import Hearth

@Suite("Families take turns to write", .onlySQLite("A server on PostgreSQL writes in the order of arrival."))
struct WriteTurnTests {
  @Test func `a family does not wait for all writes of another`() async throws {
    try await TestServer.run(configure: { $0.databaseLimits.groupedWrites = 4 }) { server in
      let ada = try await Household(on: server)
      let grace = try await Household(on: server, email: "grace@example.com")
      let writers = Array(repeating: ada, count: 12) + [grace]
      let outcomes = try await server.atOnce(
        writers.map { writer in
          { try await writer.parent.another.perform(Documents.addChore, ["input": ["name": "Feed the cat"]]) }
        }
      )
      #expect(outcomes.allSatisfy { $0["chore.id"].string != nil }, "\(outcomes)")
      // Grace's came last, and is the second.
      let families = try server.rows("SELECT family_id FROM chore ORDER BY id", columns: 1).map { $0[0] }
      try #require(families.count == 13)
      #expect(families.indices.filter { families[$0] != families[0] } == [1])
    }
  }

  @Test func `a family with too many waiting writes gets an error, and others do not`() async throws {
    try await TestServer.run(configure: { $0.databaseLimits.queuedWritesOfLane = 2 }) { server in
      let ada = try await Household(on: server)
      let grace = try await Household(on: server, email: "grace@example.com")
      let outcomes = try await server.atOnce(
        [ada, ada, ada, grace].map { writer in
          { try await writer.parent.another.perform(Documents.addChore, ["input": ["name": "Feed the cat"]]) }
        }
      )
      #expect(outcomes.map { $0["chore.id"].string != nil } == [true, true, false, true])
      #expect(outcomes[2].codes == ["OVERLOADED"])
    }
  }
}
