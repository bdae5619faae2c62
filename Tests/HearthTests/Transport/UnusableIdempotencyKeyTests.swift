import Testing

@testable import Hearth

@Suite("An idempotency key that is not usable")
struct UnusableIdempotencyKeyTests {
  private static let add = #"mutation { addItem(input: {name: "Tent"}) { item { name } } }"#

  @Test(arguments: [[("Idempotency-Key", "a b")], [("Idempotency-Key", "one"), ("Idempotency-Key", "two")]])
  func `is an error of a mutation, and ignored by a query, whether or not the server has seen it`(
    key: [(String, String)]
  ) async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let headers = [("Authorization", "Bearer \(ada.parent.token ?? "")")] + key
      func send(_ document: String) async throws -> HTTPAnswer {
        try await server.http.post((["query": .string(document)] as Value).text, headers: headers)
      }
      for _ in 0..<2 {
        let asked = try await send("query Unusable { viewer { __typename } }")
        #expect(asked.status == 200 && asked.json["data.viewer.__typename"] == "Account", "\(asked.text)")
        let added = try await send(Self.add)
        #expect(added.json["errors.0.extensions.code"] == "BAD_REQUEST", "\(added.text)")
      }
      #expect(try server.rows("SELECT count(*) FROM item", columns: 1) == [[0]])
    }
  }
}
