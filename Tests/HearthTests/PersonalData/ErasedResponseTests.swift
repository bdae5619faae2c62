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

  /// - Parameter count: how many are erased then.
  private func eraseAtOnce(_ id: String, on server: TestServer, become count: Int64 = 1) async throws {
    let deleted = try await Program(["account", "delete", id, "--now", "--data", server.directory.path]).result()
    #expect(deleted.status == 0, "\(deleted.output)")
    try await server.rows(
      """
      SELECT (SELECT count(*) FROM person WHERE erased_at IS NOT NULL)
        + (SELECT count(*) FROM child WHERE erased_at IS NOT NULL)
      """,
      become: count
    )
  }

  /// As if a process with this time had executed a request: the row of its write, and that of its response.
  private func insert(of member: GlobalID?, at time: Int64, on server: TestServer) async throws {
    try await server.services.database.write { transaction in
      for step in [IdempotentRun.responseStep, 1_001] {
        let row = IdempotentWrite(
          key: IdempotentWrite.key("rope", of: member, named: "caller"),
          step: step,
          person: member,
          request: [],
          createdAt: Timestamp(time),
          outcome: Array("Ada Lovelace".utf8)
        )
        try transaction.run(IdempotentWrite.table.insert, row)
      }
    }
  }

  private func responses(on server: TestServer) throws -> Int64 {
    try server.rows("SELECT count(*) FROM idempotent_write WHERE step = 0", columns: 1)[0][0]
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
      #expect(try responses(on: server) == 0)
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
      #expect(try responses(on: server) == 0)
      #expect(try await server.http.post(body.text, headers: headers).json["data"] == first.json["data"])
      #expect(try server.rows("SELECT count(*) FROM item", columns: 1) == [[1]])
    }
  }

  @Test func `the erasure of a child deletes its rows, and later responses to its family alone`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let grace = try await Household("Grace Hopper", on: server)
      let child = try await ada.addChild("Xanthia", username: "xanthia")
      let key = GlobalID(rawValue: try server.rows("SELECT id FROM child", columns: 1)[0][0])
      try await insert(of: key, at: server.clock.clock.now(), on: server)
      #expect(try await ada.deleteChild(child).userErrors == [])
      // Other families do not see the name from then on.
      let later = server.clock.clock.now() + IdempotentWrite.retention + Milliseconds.minute
      for household in [ada, grace] {
        let parent = try #require(server.services.cipher.key(of: household.personID))
        try await insert(of: parent, at: later, on: server)
      }
      try await eraseAtOnce(child, on: server)
      let rows = try server.rows("SELECT step, count(*) FROM idempotent_write GROUP BY step ORDER BY step", columns: 2)
      #expect(rows == [[0, 1], [1_001, 2]])
    }
  }

  @Test func `an immediate erasure deletes those of a process whose clock is ahead`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      try await insert(of: nil, at: server.clock.clock.now() + 20_000, on: server)
      try await eraseAtOnce(ada.personID, on: server)
      #expect(try responses(on: server) == 0)
    }
  }

  @Test func `the response to a request that has begun before an erasure is not kept after it`() async throws {
    try await TestServer.run { server in
      let households = try await [
        Household(on: server), Household("Grace Hopper", on: server), Household("Eve Guest", on: server),
        Household("Ida Rhodes", on: server),
      ]
      func lastErasure() async throws -> [UInt8]? {
        try await server.services.database.write { transaction in
          try transaction.reader.first(of: Secrets.read, IdempotentWrite.lastErasure) { row in Array(row.blob(0)) }
        }
      }
      func keep(_ key: String, since erasure: [UInt8]?) async throws -> Int64 {
        let (bytes, now) = (Array(key.utf8), server.clock.clock.now())
        let run = IdempotentRun(bytes, of: nil, [], outcomes: [:], lastErasure: erasure, at: now, RunningRequests())
        let store = run.keeping(Array("Ada Lovelace".utf8))
        try await server.services.database.write { transaction in try store(transaction) }
        return try responses(on: server)
      }
      #expect(try await lastErasure() == nil)
      #expect(try await keep("before", since: nil) == 1)
      try await eraseAtOnce(households[0].personID, on: server)
      #expect(try await keep("during the first", since: nil) == 0)
      let first = try await lastErasure()
      #expect(try await keep("after the first", since: first) == 1)
      try await eraseAtOnce(households[1].personID, on: server, become: 2)
      #expect(try await keep("during the second", since: first) == 0)
      // A request that begins now reads the value.
      let answer = try await send(households[2].parent, about: households[3].personID)
      #expect(answer.json["data.addItem.item.name"] == "Tent", "\(answer.text)")
      #expect(try responses(on: server) == 1)
    }
  }

  @Test func `many are deleted in portions`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let (now, count) = (server.clock.clock.now(), 2 * ErasedResponses.maximumAtOnce + 10)
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
