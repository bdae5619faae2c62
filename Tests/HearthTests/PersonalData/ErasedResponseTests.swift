import Storage
import TestSupport
import Testing

@testable import Hearth

@Suite("Responses that are kept for idempotency keys, and erasures")
struct ErasedResponseTests {
  private static let document = """
    mutation ($person: ID!) {
      addItem(input: { name: "Tent" }) { item { name } }
      requestContact(input: { personId: $person, sharing: [] }) { contactRequest { to { name } } }
    }
    """

  private func send(_ client: Client, about person: String) async throws -> HTTPAnswer {
    let request: Value = ["query": .string(Self.document), "variables": ["person": .string(person)]]
    let headers = [("Authorization", "Bearer \(client.token ?? "")"), ("Idempotency-Key", "one")]
    return try await client.http.post(request.text, headers: headers)
  }

  private func eraseAtOnce(_ id: String, on server: TestServer) async throws {
    let deleted = try await Program(["account", "delete", id, "--now", "--data", server.directory.path]).result()
    #expect(deleted.status == 0, "\(deleted.output)")
    try await server.rows(
      """
      SELECT (SELECT count(*) FROM person WHERE erased_at IS NOT NULL)
        + (SELECT count(*) FROM child WHERE erased_at IS NOT NULL)
      """,
      become: 1
    )
  }

  @Test func `an immediate erasure deletes those of other families, and their requests are not executed again`()
    async throws
  {
    try await TestServer.run { server in
      let xanthippe = try await Household(on: server, email: "xanthippe@example.com", name: "Xanthippe Zwiebelturm")
      let grace = try await Household("Grace Hopper", on: server)
      let first = try await send(grace.parent, about: xanthippe.personID)
      #expect(first.text.contains("Xanthippe"), "\(first.text)")
      #expect(try await send(grace.parent, about: xanthippe.personID).body == first.body)

      try await eraseAtOnce(xanthippe.personID, on: server)
      #expect(try server.rows("SELECT count(*) FROM idempotent_write WHERE step = 0", columns: 1) == [[0]])
      // The fields are read again.
      let again = try await send(grace.parent, about: xanthippe.personID)
      #expect(again.json["data.requestContact"] == ["contactRequest": .null], "\(again.text)")
      #expect(!again.text.contains("Xanthippe"), "\(again.text)")
      #expect(try server.rows("SELECT count(*) FROM item", columns: 1) == [[1]])
    }
  }

  @Test func `the erasure of a child leaves the writes of its family's requests`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let child = try await ada.addChild("Xanthia", username: "xanthia")
      let document = "mutation { addItem(input: { name: \"Rope\" }) { item { name createdBy { name } } } }"
      let body: Value = ["query": .string(document)]
      let headers = [("Authorization", "Bearer \(ada.parent.token ?? "")"), ("Idempotency-Key", "rope")]
      let first = try await server.http.post(body.text, headers: headers)
      try await eraseAtOnce(child, on: server)
      #expect(try server.rows("SELECT count(*) FROM idempotent_write WHERE step = 0", columns: 1) == [[0]])
      #expect(try await server.http.post(body.text, headers: headers).json["data"] == first.json["data"])
      #expect(try server.rows("SELECT count(*) FROM item", columns: 1) == [[1]])
    }
  }

  @Test func `the erasure of a child deletes its rows, and later responses to its family alone`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let grace = try await Household("Grace Hopper", on: server)
      let child = try await ada.addChild("Xanthia", username: "xanthia")
      let body: Value = ["query": "mutation { addItem(input: { name: \"Rope\" }) { item { name } } }"]
      func add(_ client: Client) async throws {
        let headers = [("Authorization", "Bearer \(client.token ?? "")"), ("Idempotency-Key", "rope")]
        #expect(try await client.http.post(body.text, headers: headers).json["data.addItem.item.name"] == "Rope")
      }
      let key = GlobalID(rawValue: try server.rows("SELECT id FROM child", columns: 1)[0][0])
      let now = Timestamp(server.clock.clock.now())
      try await server.services.database.write { transaction in
        let row = IdempotentWrite(
          key: IdempotentWrite.key("rope", of: key, named: "child"),
          step: 1_001,
          person: key,
          request: [],
          createdAt: now,
          outcome: nil
        )
        try transaction.run(IdempotentWrite.table.insert, row)
      }
      #expect(try await ada.deleteChild(child).userErrors == [])
      // From then on, other families do not see the name.
      server.clock.advance(seconds: 1)
      for household in [ada, grace] { try await add(household.parent) }
      try await eraseAtOnce(child, on: server)
      let rows = try server.rows("SELECT step, count(*) FROM idempotent_write GROUP BY step ORDER BY step", columns: 2)
      #expect(rows == [[0, 1], [1_001, 2]])
    }
  }

  @Test func `many are deleted in portions`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let (now, count) = (server.clock.clock.now(), 2 * Erasure.maximumAtOnce + 10)
      try await server.services.database.write { transaction in
        for number in 0..<count {
          for step in [IdempotentRun.responseStep, 1_001] {
            let row = IdempotentWrite(
              key: Array("key \(number)".utf8),
              step: step,
              person: nil,
              request: [],
              createdAt: Timestamp(now),
              outcome: Array("Ada Lovelace".utf8)
            )
            try transaction.run(IdempotentWrite.table.insert, row)
          }
        }
      }
      try await eraseAtOnce(ada.personID, on: server)
      let rows = try server.rows("SELECT min(step), count(*) FROM idempotent_write", columns: 2)
      #expect(rows == [[1_001, count]])
    }
  }
}
