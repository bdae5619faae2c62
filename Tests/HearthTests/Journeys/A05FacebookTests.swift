import TestSupport
import Testing

@testable import Hearth

@Suite("A5, D2: Facebook's access tokens", .enabled(if: IssuerProcess.isAvailable), .timeLimit(.minutes(20)))
struct A05FacebookTests {
  @Test(arguments: [nil, "app secret"]) func `granted data is filled in`(secret: String?) async throws {
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
      #expect(first.userErrors == [])
      let ada = first["credentials.viewer"]
      #expect(
        ["name", "firstName", "lastName", "dateOfBirth", "gender", "email"].map { ada[$0] } == [
          "Ada Lovelace", "Ada", "Lovelace", "1988-12-10", "FEMALE", "ada@example.com",
        ]
      )
      // The address is not verified.
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

  private static let signedUp = """
    mutation ($input: IdentitySignInInput!) { signInWithIdentity(input: $input) { credentials { viewer { ... on Account {
      person { name currentCity hometown company avatar { url placeholder width } } } } } \(Documents.errors) } }
    """

  private func profile(_ person: Value, on server: TestServer, _ issuer: IssuerProcess) async throws -> Value {
    let token = try await issuer.accessToken("EAABprofile", person: person)
    let outcome = try await server.visitor.perform(Self.signedUp, A03IdentityTests.input(token, "FACEBOOK"))
    #expect(outcome.userErrors == [])
    return outcome["credentials.viewer.person"]
  }

  private func picture(_ bytes: [UInt8], at issuer: IssuerProcess, _ more: Value = .object([:])) -> Value {
    let content = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    let location: Value = ["url": .string("http://127.0.0.1:\(issuer.port)/picture?content=\(content)")]
    return ["data": location.merging(more)]
  }

  @Test func `city, hometown, employer and picture are prefilled, and later sign-ins change nothing`() async throws {
    try await A03IdentityTests.run { server, issuer async throws in
      let granted: Value = [
        "location": ["id": "1", "name": "Amherst, Massachusetts"], "hometown": ["id": "2", "name": "London"],
        "work": [
          ["employer": ["id": "3", "name": "Analytical Engines"]], ["employer": ["id": "4", "name": "Before"]],
        ],
        "picture": picture(SamplePicture.png(width: 60, exif: SamplePicture.exif()), at: issuer),
      ]
      let ada = try await profile(granted, on: server, issuer)
      #expect(
        ["currentCity", "hometown", "company"].map { ada[$0] } == [
          "Amherst, Massachusetts", "London", "Analytical Engines",
        ]
      )
      #expect(ada["avatar.placeholder"] == false && ada["avatar.width"] == 60)
      let stored = try await server.visitor.load(ada["avatar"])
      #expect(stored.status == 200)
      #expect(!stored.body.indices.contains { stored.body[$0...].starts(with: SamplePicture.position) })
      let later = try await profile(granted.setting("hometown", ["name": "Paris"]), on: server, issuer)
      #expect(later == ada)
    }
  }

  @Test(arguments: ["location", "hometown", "work", "picture"])
  func `data that was not granted stays empty`(missing: String) async throws {
    try await A03IdentityTests.run { server, issuer async throws in
      // Facebook rejects a request that contains a forbidden field entirely.
      let granted: Value = ["location": ["name": "Amherst"]]
      let ada = try await profile(granted.setting(missing, "REFUSED"), on: server, issuer)
      #expect(ada["name"] == "Ada Lovelace")
      #expect(ada["currentCity"] == (["location", "hometown"].contains(missing) ? nil : "Amherst"))
      #expect(ada["company"] == nil && ada["avatar.placeholder"] == true)
    }
  }

  @Test func `a picture that would not be taken as an upload is left out`() async throws {
    let issuer = try await IssuerProcess()
    try await TestServer.run(configure: {
      issuer.configure(&$0)
      $0.picturePixels = 10_000
    }) { server in
      let png = SamplePicture.png(width: 60)
      let bad: [Value] = [
        picture(Array("<html>".utf8), at: issuer), picture(Array(png.dropLast(20)), at: issuer),
        picture(SamplePicture.png(width: 2_000, height: 2_000), at: issuer),
        picture(png, at: issuer, ["is_silhouette": true]), ["data": ["url": "file:///etc/passwd"]],
        ["data": ["url": "http://picture.example/"]], ["data": ["url": "http://127.0.0.1:\(issuer.port)/none"]],
        ["data": ["url": nil]],
      ]
      for (number, picture) in bad.enumerated() {
        let id = Value.string("\(number)")
        let token = try await issuer.accessToken(
          "EAAB\(number)",
          about: ["user_id": id],
          person: ["id": id, "email": .string("ada\(number)@example.com"), "picture": picture]
        )
        let outcome = try await server.visitor.perform(Self.signedUp, A03IdentityTests.input(token, "FACEBOOK"))
        #expect(outcome.userErrors == [])
        #expect(outcome["credentials.viewer.person.avatar.placeholder"] == true, "\(picture)")
      }
    }
  }

  static let rejected: [(about: Value, person: Value, expected: String)] = [
    (["is_valid": false], [:], "WRONG_CREDENTIALS"), (["is_valid": nil], [:], "WRONG_CREDENTIALS"),
    (["app_id": "999"], [:], "WRONG_CREDENTIALS"), (["app_id": nil], [:], "WRONG_CREDENTIALS"),
    (["type": "PAGE"], [:], "WRONG_CREDENTIALS"), (["user_id": nil], [:], "WRONG_CREDENTIALS"),
    ([:], ["id": "78"], "WRONG_CREDENTIALS"), (["expires_at": 1_795_247_999], [:], "EXPIRED"),
    ([:], ["email": nil], "BLANK"),
  ]

  @Test func `an expired token, or one of another app or person, signs nobody in`() async throws {
    try await A03IdentityTests.run { server, issuer async throws in
      for (number, (about, person, expected)) in Self.rejected.enumerated() {
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
  func `while Facebook does not respond nobody signs in, and the error says why`(mode: String) async throws {
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
