import Storage
import TestSupport
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

  @Test func `responses that are kept for idempotency keys wait in the lane of their family`() async throws {
    try await TestServer.run(configure: {
      $0.databaseLimits.groupedWrites = 1
      $0.databaseLimits.queuedWritesOfLane = 1
    }) { server in
      let ada = try await Household(on: server)
      let family = try #require(server.services.cipher.key(of: ada.familyID)).rawValue
      let database = server.services.database
      // Nothing else is to be written: no mails, and no more of the writes that the server begins with, one after the
      // other, which take turns with these.
      await server.deliverMail()
      for _ in 0..<100 { try await database.write { _ in } }
      @Sendable func waitForWrites(_ count: Int) async {
        while database.waitingWrites < count { await Task.yield() }
      }
      let body: Value = ["query": "mutation { addItem(input: { name: \"Tent\" }) { item { name } } }"]
      let headers = [("Authorization", "Bearer \(ada.parent.token ?? "")"), ("Idempotency-Key", "one")]
      // After the item, another write keeps the response waiting.
      let (adding, holding) = try await server.holdingWrites {
        let adding = Task { try await ada.parent.http.post(body.text, headers: headers) }
        await waitForWrites(1)
        let holding = Task {
          try await server.holdingWrites {
            await waitForWrites(1)
            let ended = Counter()
            let writing = Task {
              defer { ended.increment() }
              try await database.write(lane: family) { _ in }
            }
            while database.waitingWrites < 2, ended.count == 0 { await Task.yield() }
            return writing
          }
        }
        await waitForWrites(2)
        return (adding, holding)
      }
      let writing = try await holding.value
      await #expect(throws: DatabaseError.self, "The response has the only place of the family.") {
        try await writing.value
      }
      #expect(try await adding.value.json["data.addItem.item.name"] == "Tent")
      #expect(try server.rows("SELECT count(*) FROM idempotent_write WHERE step = 0", columns: 1) == [[1]])
    }
  }
}
