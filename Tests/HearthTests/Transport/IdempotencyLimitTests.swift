import Testing

@testable import Hearth

@Suite("What requests with idempotency keys leave")
struct IdempotencyLimitTests {
  private static let endSession = "mutation ($id: ID!) { endSession(id: $id) { ended userErrors { code } } }"

  private func send(
    _ client: Client,
    _ key: String?,
    _ document: String,
    _ variables: Value
  ) async throws -> HTTPAnswer {
    var headers = client.token.map { [("Authorization", "Bearer \($0)")] } ?? []
    if let key { headers.append(("Idempotency-Key", key)) }
    let request: Value = ["query": .string(document), "variables": variables]
    return try await client.http.post(request.text, headers: headers)
  }

  private func expectNoRows(_ server: TestServer) throws {
    #expect(try server.rows("SELECT count(*) FROM idempotent_write", columns: 1) == [[0]])
  }

  /// The id of the session of a refresh token.
  private func session(of token: String) -> String { String(token.prefix { $0 != "." }) }

  @Test func `a refresh token that does not exist leaves nothing, whatever its session is`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let bob = try await Household(on: server, email: "bob@example.com")
      let ended = "mutation { signOut { signedOut } }"
      _ = try await send(bob.parent, nil, ended, [:])
      let tokens = ["", "made-up", session(of: ada.refreshToken) + ".made-up", bob.refreshToken]
      for (number, token) in tokens.enumerated() {
        for _ in 0..<2 {
          let answer = try await send(server.visitor, "key-\(number)", Documents.refresh, ["token": .string(token)])
          #expect(answer.json["data.refreshSession.userErrors.0.code"] == "NOT_FOUND", "\(answer.text)")
        }
      }
      try expectNoRows(server)
      #expect(try await ada.parent.ask(Documents.whoAmI)["errors"] == .null)
    }
  }

  @Test func `an unknown session leaves nothing`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let bob = try await Household(on: server, email: "bob@example.com")
      for id in ["made-up", session(of: bob.refreshToken)] {
        let answer = try await send(ada.parent, "one\(id.count)", Self.endSession, ["id": .string(id)])
        #expect(answer.json["data.endSession.userErrors.0.code"] == "NOT_FOUND", "\(answer.text)")
      }
      try expectNoRows(server)
    }
  }

  @Test func `a child without active parents leaves nothing`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      _ = try await ada.addChild("Mia", username: "mia")
      let left = try await ada.parent.perform(Documents.deactivate, ["password": .string(Household.password)])
      #expect(left.userErrors == [])
      let input: Value = ["input": ["username": "mia", "password": .string(Household.password)]]
      let answer = try await send(server.visitor, "one", Documents.signInChild, input)
      #expect(answer.json["data.signInChild.credentials"] == .null, "\(answer.text)")
      #expect(answer.json["data.signInChild.userErrors.0.code"].string != nil, "\(answer.text)")
      try expectNoRows(server)
    }
  }

  @Test func `renewals of a member are limited, and need no key`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let bob = try await Household(on: server, email: "bob@example.com")
      let person = try #require(server.services.cipher.key(of: ada.personID))
      let burst = try #require(LimitedAction.idempotentRequest.limits.subject).burst
      // Two are left.
      let caller = RateLimits.Caller(subject: .person(person))
      let now = server.clock.clock.now()
      #expect(server.services.rateLimits.take(.idempotentRequest, count: burst - 2, by: caller, at: now) == nil)
      func renew(_ token: String, _ key: String?) async throws -> (token: String, codes: [String]) {
        let answer = try await send(server.visitor, key, Documents.refresh, ["token": .string(token)])
        return (answer.json["data.refreshSession.credentials.refreshToken"].string ?? "", answer.codes)
      }
      let first = try await renew(ada.refreshToken, "one")
      // A repetition issues new tokens, which leaves another row.
      let second = try await renew(ada.refreshToken, "one")
      #expect(first.codes == [] && second.codes == [] && first.token != second.token)
      #expect(try await renew(ada.refreshToken, "one").codes == ["RATE_LIMITED"])
      #expect(try await renew(second.token, "two").codes == ["RATE_LIMITED"])
      #expect(try server.rows("SELECT count(*) FROM idempotent_write", columns: 1) == [[2]])
      #expect(try await renew(bob.refreshToken, "bob").codes == [])
      // The rejected renewal has not used the token.
      let third = try await renew(second.token, nil)
      #expect(third.codes == [] && third.token != "")
      server.clock.advance(seconds: 17)
      #expect(try await renew(third.token, "two").codes == [])
    }
  }
}
