import Testing

@testable import Hearth

@Suite(
  "D9: find those of one's Facebook friends who are here",
  .enabled(if: IssuerProcess.isAvailable),
  .timeLimit(.minutes(20))
)
struct D09FacebookFriendsTests {
  /// A person who signs in with Facebook.
  private func join(_ id: String, _ name: String, _ server: TestServer, _ issuer: IssuerProcess) async throws {
    let token = try await issuer.accessToken(
      "EAABjoin\(id)",
      about: ["user_id": .string(id)],
      person: ["id": .string(id), "name": .string(name), "email": .string("person\(id)@example.com")]
    )
    let outcome = try await server.visitor.perform(
      Documents.signInWithIdentity,
      A03IdentityTests.input(token, "FACEBOOK")
    )
    #expect(outcome.userErrors == [])
  }

  private func match(_ user: Household, _ token: String) async throws -> Outcome {
    try await user.parent.perform(Documents.matchFriends, ["token": .string(token)])
  }

  @Test func `members are found by the accounts that they have linked, over all pages`() async throws {
    try await A03IdentityTests.run { server, issuer async throws in
      let user = try await Household("Kloudbook User", on: server)
      try await join("101", "John Smith", server, issuer)
      try await join("104", "Lisa Shoemaker", server, issuer)
      // Emily has an account with a password, to which she links hers.
      let emily = try await Household("Emily Gone", on: server)
      let hers = try await issuer.accessToken("EAABemily", about: ["user_id": "105"], person: ["id": "105"])
      _ = try await emily.parent.perform(Documents.linkIdentity, A03IdentityTests.input(hers, "FACEBOOK"))
      let friends: [Value] = [
        ["id": "101", "name": "Johnny"], ["id": "999", "name": "Not Here"], ["id": "103"],
        ["id": "105", "name": "Emily"], ["id": 104, "name": "Lisa"],
      ]
      let token = try await issuer.accessToken("EAABfriends", friends: friends)
      let outcome = try await match(user, token)
      #expect(outcome.userErrors == [])
      let matches = outcome["matches"].list
      #expect(matches.map { $0["entry"] } == ["Johnny", "Not Here", "", "Emily", "Lisa"])
      #expect(matches.map { $0["person.name"] } == ["John Smith", nil, nil, "Emily Gone", "Lisa Shoemaker"])
      #expect(matches.map { $0["relation"] } == Array(repeating: "NONE", count: 5))
      _ = try await emily.parent.perform(Documents.deactivate, ["password": .string(Household.password)])
      #expect(try await match(user, token)["matches.3.person"] == .null)
      let asked: Value = ["id": matches[0]["person.id"], "offer": ["PERSONAL"]]
      #expect(try await user.parent.perform(Documents.requestContact, asked).userErrors == [])
      #expect(try await match(user, token)["matches.0.relation"] == "REQUEST_SENT")
    }
  }

  @Test func `pages without end do end`() async throws {
    try await A03IdentityTests.run { server, issuer async throws in
      let user = try await Household("Kloudbook User", on: server)
      let friends: [Value] = [["id": "1", "name": "One"], ["id": "2", "name": "Two"]]
      let token = try await issuer.accessToken("EAABfriends", friends: friends, isEndless: true)
      #expect(try await match(user, token)["matches"].list.count == 50)
      #expect(try await issuer.timesAsked == 25)
    }
  }

  @Test func `without a valid token, or without the permission, nobody is found`() async throws {
    try await A03IdentityTests.run { server, issuer async throws in
      let user = try await Household("Kloudbook User", on: server)
      _ = try await user.addChild("Mia", username: "mia")
      let foreign = try await issuer.accessToken("EAABforeign", about: ["app_id": "999"])
      let over = try await issuer.accessToken("EAABover", about: ["expires_at": 1_795_247_999])
      for (token, expected) in [
        (foreign, "WRONG_CREDENTIALS"), ("EAABunknown", "WRONG_CREDENTIALS"), (over, "EXPIRED"), ("", "BLANK"),
      ] {
        #expect(try await match(user, token).userErrors == ["accessToken \(expected)"])
      }
      let good: Value = ["token": .string(try await issuer.accessToken("EAABgood"))]
      #expect(try await server.visitor.perform(Documents.matchFriends, good).codes == ["UNAUTHENTICATED"])
      #expect(try await user.signIn("mia").perform(Documents.matchFriends, good).codes == ["FORBIDDEN"])
    }
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      #expect(try await match(user, "EAAB").userErrors == ["accessToken NOT_ALLOWED"])
    }
  }

  @Test(arguments: ["down", "failing", "garbage", "huge", "slow"])
  func `while Facebook does not respond an error is reported, and others are served`(mode: String) async throws {
    try await A03IdentityTests.run { server, issuer async throws in
      let user = try await Household("Kloudbook User", on: server)
      let token = try await issuer.accessToken("EAABfriends", friends: [["id": "1", "name": "One"]])
      try await issuer.become(mode)
      async let outcome = match(user, token)
      _ = try await Household("Somebody Else", on: server)
      #expect(try await outcome.codes == ["PROVIDER_UNAVAILABLE"])
      try await issuer.become("up")
      #expect(try await match(user, token)["matches.0.entry"] == "One")
    }
  }

  @Test func `requests to Facebook are limited`() async throws {
    try await A03IdentityTests.run { server, issuer async throws in
      let user = try await Household("Kloudbook User", on: server)
      let token = try await issuer.accessToken("EAABfriends")
      for _ in 0..<10 { #expect(try await match(user, token).codes == []) }
      let rejected = try await match(user, token)
      #expect(rejected.codes == ["RATE_LIMITED"])
      #expect(rejected.errors["0.extensions.retryAfter"] == 60)
      server.clock.advance(seconds: 60)
      #expect(try await match(user, token).codes == [])
    }
  }
}
