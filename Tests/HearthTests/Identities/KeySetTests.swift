import Testing

@testable import Hearth

@Suite("The keys of an identity provider", .enabled(if: IssuerProcess.isAvailable), .timeLimit(.minutes(20)))
struct KeySetTests {
  private func signIn(_ server: TestServer, _ token: String) async throws -> Outcome {
    try await server.visitor.perform(Documents.signInWithIdentity, A03IdentityTests.input(token))
  }

  /// A token that is good at the moment, and afterwards for an hour.
  private func token(_ server: TestServer, _ issuer: IssuerProcess) async throws -> String {
    let now = Double(server.clock.clock.now() / 1000)
    return try await issuer.token(["iat": .number(now), "exp": .number(now + 3600)])
  }

  @Test func `are fetched once for as long as the provider allows`() async throws {
    try await A03IdentityTests.run { server, issuer async throws in
      for _ in 0..<3 { #expect(try await signIn(server, token(server, issuer)).userErrors == []) }
      #expect(try await issuer.timesAsked == 1)
      server.clock.advance(seconds: 3599)
      #expect(try await signIn(server, token(server, issuer)).userErrors == [])
      #expect(try await issuer.timesAsked == 1)
      server.clock.advance(seconds: 2)
      #expect(try await signIn(server, token(server, issuer)).userErrors == [])
      #expect(try await issuer.timesAsked == 2)
    }
  }

  @Test(arguments: [("max-age=0", 300), ("no-store", 300), ("max-age=999999999999", 86_400), ("private", 3_600)])
  func `are good for no less than some minutes, and no longer than a day`(said: String, lifetime: Int64) async throws {
    try await A03IdentityTests.run { server, issuer async throws in
      try await issuer.send(cacheControl: said)
      #expect(try await signIn(server, token(server, issuer)).userErrors == [])
      server.clock.advance(seconds: lifetime - 1)
      #expect(try await signIn(server, token(server, issuer)).userErrors == [])
      #expect(try await issuer.timesAsked == 1)
      server.clock.advance(seconds: 2)
      #expect(try await signIn(server, token(server, issuer)).userErrors == [])
      #expect(try await issuer.timesAsked == 2)
    }
  }

  @Test func `are fetched again when they changed, and old ones are then invalid`() async throws {
    try await A03IdentityTests.run { server, issuer async throws in
      let old = try await token(server, issuer)
      #expect(try await signIn(server, old).userErrors == [])
      try await issuer.rotate()
      #expect(try await signIn(server, token(server, issuer)).userErrors == [])
      #expect(try await signIn(server, old).userErrors == ["input.token WRONG_CREDENTIALS"])
    }
  }

  @Test func `are not fetched without limit, whatever tokens arrive`() async throws {
    try await A03IdentityTests.run { server, issuer async throws in
      #expect(try await signIn(server, token(server, issuer)).userErrors == [])
      for number in 0..<30 {
        let made = try await issuer.token([:], signing: ["kid": .string("made up \(number)")])
        #expect(try await signIn(server, made).userErrors == ["input.token WRONG_CREDENTIALS"])
      }
      let asked = try await issuer.timesAsked
      #expect(asked <= 6)
      // Users with valid tokens are not affected, and some time later the keys are fetched again.
      #expect(try await signIn(server, token(server, issuer)).userErrors == [])
      try await issuer.rotate()
      server.clock.advance(seconds: 60)
      #expect(try await signIn(server, token(server, issuer)).userErrors == [])
      #expect(try await issuer.timesAsked == asked + 1)
    }
  }

  @Test(arguments: ["down", "failing", "garbage", "huge", "slow"])
  func `serve for a day while the provider gives no others`(mode: String) async throws {
    try await A03IdentityTests.run { server, issuer async throws in
      #expect(try await signIn(server, token(server, issuer)).userErrors == [])
      try await issuer.become(mode)
      server.clock.advance(seconds: 3_601)
      #expect(try await signIn(server, token(server, issuer)).userErrors == [])
      server.clock.advance(seconds: 86_400)
      #expect(try await signIn(server, token(server, issuer)).codes == ["PROVIDER_UNAVAILABLE"])
      try await issuer.become("up")
      #expect(try await signIn(server, token(server, issuer)).userErrors == [])
    }
  }

  @Test(arguments: ["down", "slow"]) func `without cached keys, nobody signs in until they are available`(mode: String)
    async throws
  {
    try await A03IdentityTests.run { server, issuer async throws in
      try await issuer.become(mode)
      #expect(try await signIn(server, token(server, issuer)).codes == ["PROVIDER_UNAVAILABLE"])
      // Other requests are served in the meantime.
      _ = try await Household(on: server, email: "ben@example.com")
      try await issuer.become("up")
      #expect(try await signIn(server, token(server, issuer)).userErrors == [])
    }
  }

  @Test func `concurrent callers share one fetch`() async throws {
    try await A03IdentityTests.run { server, issuer async throws in
      let token = try await token(server, issuer)
      try await withThrowingTaskGroup { group in
        for _ in 0..<10 { group.addTask { try await signIn(server, token).userErrors } }
        for try await errors in group { #expect(errors == []) }
      }
      #expect(try await issuer.timesAsked == 1)
    }
  }

  @Test(
    arguments: [
      ("https://keys.example/x", true), ("http://127.0.0.1:8080/keys", true), ("http://localhost/keys", true),
      ("http://[::1]:1/keys", true), ("http://keys.example/x", false), ("ftp://localhost/keys", false),
      ("file:///etc/passwd", false), ("http://localhost.example/keys", false), ("", false), ("https://", false),
      ("http://127.0.0.1@keys.example/", false),
    ]
  )
  func `come encrypted, or from this machine`(address: String, isGood: Bool) {
    #expect((WebURL(address) != nil) == isGood)
  }
}
