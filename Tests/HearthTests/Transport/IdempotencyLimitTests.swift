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

  @Test func `a deactivated account that cannot return leaves nothing`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let left = try await ada.parent.perform(Documents.deactivate, ["password": .string(Household.password)])
      #expect(left.userErrors == [])
      server.clock.advance(days: 31)
      let input = A02SignInTests.input("ada@example.com", Household.password)["input"].setting("reactivate", true)
      let answer = try await send(server.visitor, "one", Documents.signIn, ["input": input])
      #expect(answer.json["data.signIn.userErrors.0.code"] == "DEACTIVATED", "\(answer.text)")
      try expectNoRows(server)
    }
  }

  @Test func `a repeated request is not counted, though its response has secrets and is not stored`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let family = try #require(server.services.cipher.key(of: ada.familyID))
      let burst = try #require(LimitedAction.idempotentRequest.limits.subject).burst
      // One is left.
      let caller = RateLimits.Caller(subject: .family(family))
      let now = server.clock.clock.now()
      #expect(server.services.rateLimits.take(.idempotentRequest, count: burst - 1, by: caller, at: now) == nil)
      let document = """
        mutation { addChild(input: { name: "Mia", birth: { age: 8 } }) { child { id signInCode { token } } } }
        """
      let first = try await send(ada.parent, "one", document, [:])
      let child = first.json["data.addChild.child.id"]
      #expect(first.codes == [] && child.string != nil, "\(first.text)")
      var codes = [first.json["data.addChild.child.signInCode.token"].string]
      for _ in 0..<2 {
        let again = try await send(ada.parent, "one", document, [:])
        #expect(again.codes == [] && again.json["data.addChild.child.id"] == child, "\(again.text)")
        codes.append(again.json["data.addChild.child.signInCode.token"].string)
      }
      // Each is another one, so the response was not stored.
      #expect(Set(codes.compactMap(\.self)).count == 3)
      #expect(try await send(ada.parent, "two", document, [:]).codes == ["RATE_LIMITED"])
      #expect(try server.rows("SELECT count(*) FROM child", columns: 1) == [[1]])
    }
  }

  @Test func `sign-ins of a member are limited, and need no key`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let person = try #require(server.services.cipher.key(of: ada.personID))
      let burst = try #require(LimitedAction.idempotentRequest.limits.subject).burst
      // One is left.
      let caller = RateLimits.Caller(subject: .person(person))
      let now = server.clock.clock.now()
      #expect(server.services.rateLimits.take(.idempotentRequest, count: burst - 1, by: caller, at: now) == nil)
      let input = A02SignInTests.input("ada@example.com", Household.password)
      func signIn(_ key: String?) async throws -> [String] {
        try await send(server.visitor, key, Documents.signIn, input).codes
      }
      #expect(try await signIn("one") == [])
      #expect(try await signIn("two") == ["RATE_LIMITED"])
      #expect(try server.rows("SELECT count(*) FROM idempotent_write", columns: 1) == [[1]])
      #expect(try await signIn(nil) == [])
      server.clock.advance(seconds: 17)
      #expect(try await signIn("two") == [])
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
