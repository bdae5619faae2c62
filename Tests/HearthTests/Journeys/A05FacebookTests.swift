import Testing

@testable import Hearth

@Suite("A5, D2: Facebook's access tokens", .enabled(if: IssuerProcess.isAvailable), .timeLimit(.minutes(2)))
struct A05FacebookTests {
  @Test(arguments: [nil, "app secret"]) func `what was granted is there already`(secret: String?) async throws {
    let issuer = try await IssuerProcess()
    try await TestServer.run(configure: {
      issuer.configure(&$0)
      $0.identityProviders[.facebook]?.applicationSecret = secret.map { ApplicationSecret($0) }
    }) { server in
      let token = try await issuer.accessToken(
        "EAAB&=+/1",
        person: ["first_name": "Ada", "last_name": "Lovelace", "birthday": "12/10/1988", "gender": "female"]
      )
      let first = try await server.visitor.perform(
        Documents.signInWithIdentity,
        A03IdentityTests.input(token, "FACEBOOK")
      )
      #expect(first.userErrors == [] && first.codes == [])
      let ada = first["credentials.viewer"]
      #expect(
        ["name", "firstName", "lastName", "dateOfBirth", "gender", "email"].map { ada[$0] } == [
          "Ada Lovelace", "Ada", "Lovelace", "1988-12-10", "FEMALE", "ada@example.com",
        ]
      )
      // Nobody says that the address is hers.
      #expect(ada["emailVerified"] == false)
      // An identity token names the same person.
      let signed = try await issuer.token(["sub": "77"])
      let later = try await server.visitor.perform(
        Documents.signInWithIdentity,
        A03IdentityTests.input(signed, "FACEBOOK")
      )
      #expect(later["credentials.viewer.id"] == ada["id"])
    }
  }

  static let refused: [(about: Value, person: Value, expected: String)] = [
    (["is_valid": false], [:], "WRONG_CREDENTIALS"), (["is_valid": nil], [:], "WRONG_CREDENTIALS"),
    (["app_id": "999"], [:], "WRONG_CREDENTIALS"), (["app_id": nil], [:], "WRONG_CREDENTIALS"),
    (["type": "PAGE"], [:], "WRONG_CREDENTIALS"), (["user_id": nil], [:], "WRONG_CREDENTIALS"),
    ([:], ["id": "78"], "WRONG_CREDENTIALS"), (["expires_at": 1_795_247_999], [:], "EXPIRED"),
    ([:], ["email": nil], "BLANK"),
  ]

  @Test func `a token of another app or person, or one that is over, signs nobody in`() async throws {
    try await A03IdentityTests.run { server, issuer async throws in
      for (number, (about, person, expected)) in Self.refused.enumerated() {
        let token = try await issuer.accessToken("EAAB\(number)", about: about, person: person)
        let outcome = try await server.visitor.perform(
          Documents.signInWithIdentity,
          A03IdentityTests.input(token, "FACEBOOK")
        )
        #expect(outcome.userErrors == ["input.token \(expected)"], "\(about) \(person)")
      }
      for token in ["EAABunknown", String(repeating: "E", count: 3_000), "E\u{0} &"] {
        let outcome = try await server.visitor.perform(
          Documents.signInWithIdentity,
          A03IdentityTests.input(token, "FACEBOOK")
        )
        #expect(outcome.userErrors == ["input.token WRONG_CREDENTIALS"])
      }
    }
  }

  @Test(arguments: ["down", "failing", "garbage", "huge", "slow"])
  func `while Facebook does not answer nobody signs in, and is told why`(mode: String) async throws {
    try await A03IdentityTests.run { server, issuer async throws in
      let token = try await issuer.accessToken("EAAB1")
      try await issuer.become(mode)
      let input = A03IdentityTests.input(token, "FACEBOOK")
      let outcome = try await server.visitor.perform(Documents.signInWithIdentity, input)
      #expect(outcome.codes == ["PROVIDER_UNAVAILABLE"])
      try await issuer.become("up")
      #expect(try await server.visitor.perform(Documents.signInWithIdentity, input).userErrors == [])
    }
  }
}
