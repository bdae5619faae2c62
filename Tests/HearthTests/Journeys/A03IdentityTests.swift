import Testing

@testable import Hearth

@Suite("A3–5: sign in with Apple, Google, Facebook", .enabled(if: IssuerProcess.isAvailable), .timeLimit(.minutes(20)))
struct A03IdentityTests {
  static func input(_ token: String, _ provider: String = "GOOGLE", _ more: Value = .object([:])) -> Value {
    let input: Value = ["provider": .string(provider), "token": .string(token)]
    return ["input": input.merging(more)]
  }

  /// A server that trusts an issuer, and that.
  static func run(_ body: (TestServer, IssuerProcess) async throws -> Void) async throws {
    let issuer = try await IssuerProcess()
    try await TestServer.run(configure: issuer.configure) { server in try await body(server, issuer) }
  }

  @Test(arguments: ["RS256", "ES256"], ["APPLE", "GOOGLE", "FACEBOOK"])
  func `the first time makes the account, later times find it`(algorithm: String, provider: String) async throws {
    try await Self.run { server, issuer async throws in
      let first = try await server.visitor.perform(
        Documents.signInWithIdentity,
        Self.input(try await issuer.token([:], algorithm), provider, ["device": "Ada's phone"])
      )
      #expect(first.userErrors == [], "\(first)")
      let ada = first["credentials.viewer"]
      #expect(ada["email"] == "ada@example.com")
      #expect(ada["emailVerified"] == true)
      #expect(ada["name"] == "Ada Lovelace")
      #expect(ada["family.name"] == "Lovelace family")
      #expect(
        ada["identities"] == [
          ["provider": .string(provider), "email": "ada@example.com", "linkedAt": "2026-11-21T08:00:00Z"]
        ]
      )
      #expect(ada["sessions.0.device"] == "Ada's phone")
      // The provider's subject counts, whatever else has changed.
      let token = try await issuer.token(["email": "new@example.com", "name": "Ada King"], algorithm)
      let later = try await server.visitor.perform(Documents.signInWithIdentity, Self.input(token, provider))
      #expect(later["credentials.viewer.id"] == ada["id"])
      #expect(later["credentials.viewer.email"] == "ada@example.com")
      let app = server.visitor.with(token: later["credentials.accessToken"].string)
      #expect(try await app.ask(Documents.whoAmI)["data.viewer.id"] == ada["id"])
      // Nothing is left to be verified.
      await server.deliverMail()
      #expect(try await server.mails().isEmpty)
    }
  }

  struct Forgery: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var claims: Value = .object([:])
    var algorithm = "RS256"
    var signing: Value = .object([:])
    var tamper: @Sendable (String) -> String = { $0 }
    var expected = "input.token WRONG_CREDENTIALS"
  }

  static let forgeries = [
    Forgery(testDescription: "without a signature", algorithm: "none"),
    Forgery(testDescription: "signed with the public key", algorithm: "HS256"),
    Forgery(testDescription: "signed by a stranger", signing: ["key": "stranger"]),
    Forgery(testDescription: "signed by a stranger, ES256", algorithm: "ES256", signing: ["key": "stranger"]),
    Forgery(testDescription: "of a key that there is not", signing: ["kid": "nobody's"]),
    Forgery(testDescription: "of a key of another algorithm", signing: ["kid": "ES256-1"]),
    Forgery(testDescription: "of a key that is for nothing of this", signing: ["kid": "oct"]),
    Forgery(
      testDescription: "with a header that must be understood",
      signing: ["header": ["crit": ["b64"], "b64": true]]
    ),
    Forgery(testDescription: "for another app", claims: ["aud": "999"]),
    Forgery(testDescription: "for our app and another", claims: ["aud": ["123", "999"]]),
    Forgery(testDescription: "for nobody", claims: ["aud": []]),
    Forgery(testDescription: "of another issuer", claims: ["iss": "https://issuer.example.org"]),
    Forgery(testDescription: "of nobody", claims: ["sub": ""]),
    Forgery(testDescription: "from the future", claims: ["iat": 1_795_248_100]),
    Forgery(testDescription: "not good yet", claims: ["nbf": 1_795_248_100]),
    Forgery(testDescription: "without an end", claims: ["exp": nil]),
    Forgery(testDescription: "over", claims: ["exp": 1_795_247_939], expected: "input.token EXPIRED"),
    Forgery(testDescription: "very old", claims: ["iat": 1_795_100_000], expected: "input.token EXPIRED"),
    Forgery(
      testDescription: "with other claims",
      tamper: { token in
        let parts = token.split(separator: ".")
        let claims = IssuerProcess.claims(["sub": "somebody else"]).text
        return "\(parts[0]).\(Self.base64(claims)).\(parts[2])"
      }
    ),
    Forgery(testDescription: "with another signature", tamper: { String($0.dropLast(8)) + "AAAAAAAA" }),
    Forgery(testDescription: "without the end", tamper: { String($0.prefix { $0 != "." }) }),
    Forgery(testDescription: "with a part more", tamper: { $0 + ".AAAA" }),
    Forgery(testDescription: "no token", tamper: { _ in "nonsense" }),
    Forgery(testDescription: "long", tamper: { $0 + String(repeating: "A", count: 50_000) }),
    Forgery(
      testDescription: "nested deeply",
      tamper: { _ in
        Self.base64(String(repeating: "[", count: 8_000)) + ".AAAA.AAAA"
      }
    ),
    Forgery(testDescription: "nothing", tamper: { _ in "" }, expected: "input.token BLANK"),
  ]

  private static func base64(_ text: String) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    var (encoded, bits, count) = ("", 0, 0)
    for byte in text.utf8 {
      bits = bits << 8 | Int(byte)
      count += 8
      while count >= 6 {
        count -= 6
        encoded.append(alphabet[bits >> count & 63])
      }
      bits &= 255
    }
    if count > 0 { encoded.append(alphabet[bits << (6 - count) & 63]) }
    return encoded
  }

  @Test func `an invalid token neither signs in nor creates an account`() async throws {
    try await Self.run { server, issuer async throws in
      for forgery in Self.forgeries {
        let token = try await issuer.token(forgery.claims, forgery.algorithm, signing: forgery.signing)
        for provider in ["GOOGLE", "APPLE"] {
          let outcome = try await server.visitor.perform(
            Documents.signInWithIdentity,
            Self.input(forgery.tamper(token), provider)
          )
          #expect(outcome.userErrors == [forgery.expected], "\(forgery.testDescription): \(outcome)")
          #expect(outcome["credentials"] == .null, "\(forgery.testDescription)")
        }
      }
      // The address is free.
      _ = try await Household(on: server)
    }
  }

  @Test func `clocks may differ a little, and audiences and issuers may be several`() async throws {
    try await Self.run { server, issuer async throws in
      let claims: [Value] = [
        ["exp": 1_795_247_970], ["iat": 1_795_248_030], ["aud": ["123", "456"]], ["aud": "456"],
        ["iss": "issuer.example"],
      ]
      for claims in claims {
        let outcome = try await server.visitor.perform(
          Documents.signInWithIdentity,
          Self.input(try await issuer.token(claims))
        )
        #expect(outcome.userErrors == [], "\(claims)")
      }
    }
  }

  @Test func `a token with a nonce is good for one who knows it`() async throws {
    // SHA-256 of "n-1".
    let hashed = "6b6d4b1a3ddcc1d2d5fd36e0ae5dd0d2a4b2"
    let cases: [(provider: String, claimed: Value, given: Value, isGood: Bool)] = [
      ("GOOGLE", "n-1", "n-1", true), ("GOOGLE", "n-1", "n-2", false), ("GOOGLE", "n-1", nil, false),
      ("GOOGLE", nil, "n-1", false), ("GOOGLE", nil, nil, true), ("GOOGLE", nil, "", true),
      ("APPLE", "n-1", "n-1", true), ("APPLE", .string(Self.sha256OfN1), "n-1", true),
      ("GOOGLE", .string(Self.sha256OfN1), "n-1", false), ("APPLE", .string(hashed), "n-1", false),
      ("APPLE", "n-1", nil, false), ("APPLE", nil, "n-1", false),
    ]
    try await Self.run { server, issuer async throws in
      for (provider, claimed, given, isGood) in cases {
        let token = try await issuer.token(["nonce": claimed])
        let outcome = try await server.visitor.perform(
          Documents.signInWithIdentity,
          Self.input(token, provider, ["nonce": given])
        )
        let known = provider == "APPLE" ? ["input.token TAKEN"] : []
        #expect(outcome.userErrors == (isGood ? known : ["input.nonce MISMATCH"]), "\(provider) \(claimed) \(given)")
      }
      let old = try await issuer.token(["nonce_supported": false])
      let outcome = try await server.visitor.perform(
        Documents.signInWithIdentity,
        Self.input(old, "APPLE", ["nonce": "n-1"])
      )
      #expect(outcome.userErrors == ["input.token TAKEN"])
    }
  }

  private static let sha256OfN1 = "51aeea8ffa05d2620d35c87463465885e77df13171d5708746df1a9f36d47f35"

  @Test func `an account is never taken over by an address`() async throws {
    try await Self.run { server, issuer async throws in
      let ada = try await Household(on: server)
      for claims in [["email_verified": true], ["email_verified": "false"], ["email": "ADA@Example.com"]] as [Value] {
        let outcome = try await server.visitor.perform(
          Documents.signInWithIdentity,
          Self.input(try await issuer.token(claims))
        )
        #expect(outcome.userErrors == ["input.token TAKEN"])
        #expect(outcome["userErrors.0.message"].string?.contains("link Google") == true)
      }
      // Signed in, she links it, and then it is a way in.
      let input = Self.input(try await issuer.token(["email": "elsewhere@example.com"]))
      #expect(try await server.visitor.perform(Documents.linkIdentity, input).codes == ["UNAUTHENTICATED"])
      for _ in 0..<2 {
        let linked = try await ada.parent.perform(Documents.linkIdentity, input)
        #expect(linked.userErrors == [])
        #expect(linked["account.identities"].each("email") == ["elsewhere@example.com"])
      }
      let outcome = try await server.visitor.perform(Documents.signInWithIdentity, input)
      #expect(outcome["credentials.viewer.id"] == .string(ada.accountID))
    }
  }

  @Test func `an identity belongs to one account, and an account has one of a provider`() async throws {
    try await Self.run { server, issuer async throws in
      let ada = try await Household(on: server)
      let ben = try await Household(on: server, email: "ben@example.com", name: "Ben")
      _ = try await ada.addChild("Mia", username: "mia")
      let token = try await issuer.token()
      #expect(try await ada.parent.perform(Documents.linkIdentity, Self.input(token)).userErrors == [])
      let taken = try await ben.parent.perform(Documents.linkIdentity, Self.input(token))
      #expect(taken.userErrors == ["input.token TAKEN"])
      let other = Self.input(try await issuer.token(["sub": "another"]))
      #expect(try await ada.parent.perform(Documents.linkIdentity, other).userErrors == ["input.provider CONFLICT"])
      #expect(try await ada.signIn("mia").perform(Documents.linkIdentity, other).codes == ["FORBIDDEN"])
      // The same subject of another provider is another person.
      #expect(try await ben.parent.perform(Documents.linkIdentity, Self.input(token, "APPLE")).userErrors == [])
    }
  }

  @Test func `who has only a session that began a while ago needs the password to link an identity`() async throws {
    try await Self.run { server, issuer async throws in
      let ada = try await Household(on: server)
      server.clock.advance(seconds: 601)
      let token = try await issuer.token(["iat": 1_795_248_600, "exp": 1_795_252_000])
      let expected: [(password: Value, errors: [String])] = [
        (nil, ["input.password BLANK"]), ("", ["input.password BLANK"]), ("no", ["input.password WRONG_CREDENTIALS"]),
        (.string(Household.password), []),
      ]
      for (password, errors) in expected {
        let input = Self.input(token, "GOOGLE", ["password": password])
        let outcome = try await ada.parent.perform(Documents.linkIdentity, input)
        #expect(outcome.userErrors == errors, "\(password)")
        #expect((outcome["account.identities"].list.count == 1) == errors.isEmpty)
      }
      let both = try await ada.parent.perform(Documents.linkIdentity, Self.input("", "GOOGLE", ["password": "no"]))
      #expect(both.userErrors == ["input.password WRONG_CREDENTIALS", "input.token BLANK"])
    }
  }

  @Test func `linking an identity is reported once, and only to a verified address`() async throws {
    try await Self.run { server, issuer async throws in
      let ada = try await Household(on: server)
      let ben = try await Household(on: server, email: "ben@example.com", name: "Ben")
      try await ada.verifyEmail(on: server)
      for household in [ada, ben] {
        let input = Self.input(try await issuer.token(["sub": .string(household.email)]))
        for _ in 0..<2 {
          #expect(try await household.parent.perform(Documents.linkIdentity, input).userErrors == [])
        }
      }
      let mails = try await server.mails().filter { !$0.subject.contains("Confirm") }
      #expect(mails.map(\.to) == ["Ada Lovelace <ada@example.com>"])
      #expect(mails.map(\.subject) == ["Another way to sign in was added to your account"])
    }
  }

  @Test func `a provider can be unlinked, except the last credential`() async throws {
    try await Self.run { server, issuer async throws in
      let outcome = try await server.visitor.perform(
        Documents.signInWithIdentity,
        Self.input(try await issuer.token())
      )
      let ada = server.visitor.with(token: outcome["credentials.accessToken"].string)
      let unlink: (String) async throws -> Outcome = { provider in
        try await ada.perform(Documents.unlinkIdentity, ["provider": .string(provider)])
      }
      #expect(try await unlink("GOOGLE").userErrors == ["provider NOT_ALLOWED"])
      #expect(try await unlink("APPLE").userErrors == ["provider NOT_FOUND"])
      let apple = Self.input(try await issuer.token(), "APPLE")
      #expect(try await ada.perform(Documents.linkIdentity, apple).userErrors == [])
      #expect(try await unlink("GOOGLE")["account.identities"] == [["provider": "APPLE"]])
      #expect(try await unlink("APPLE").userErrors == ["provider NOT_ALLOWED"])
      // With a password there is another way.
      _ = try await server.visitor.perform(Documents.requestReset, ["email": "ada@example.com"])
      let token = try await server.mail(to: "ada@example.com", about: "new password").token
      let reset = try await server.visitor.perform(
        Documents.reset,
        ["token": .string(token), "new": .string(Household.password)]
      )
      let again = server.visitor.with(token: reset["credentials.accessToken"].string)
      let left = try await again.perform(Documents.unlinkIdentity, ["provider": "APPLE"])
      #expect(left["account.identities"] == [])
      #expect(
        try await server.visitor.perform(Documents.unlinkIdentity, ["provider": "APPLE"]).codes == ["UNAUTHENTICATED"]
      )
    }
  }

  @Test func `who gets their address back gets it without what another has linked`() async throws {
    try await Self.run { server, issuer async throws in
      // The address belongs to an account that has not verified it.
      let input = Self.input(try await issuer.token(["email_verified": false]))
      let outcome = try await server.visitor.perform(Documents.signInWithIdentity, input)
      #expect(outcome["credentials.viewer.emailVerified"] == false)
      await server.deliverMail()
      #expect(try await server.mails().map(\.subject) == ["Confirm your e-mail address"])
      _ = try await server.visitor.perform(Documents.requestReset, ["email": "ada@example.com"])
      await server.deliverMail()
      let token = try #require(try await server.mails().last).token
      let reset = try await server.visitor.perform(
        Documents.reset,
        ["token": .string(token), "new": .string(Household.password)]
      )
      #expect(reset.userErrors == [])
      let again = try await server.visitor.perform(Documents.signInWithIdentity, input)
      #expect(again.userErrors == ["input.token TAKEN"])
    }
  }

  @Test func `a deactivated account is reported as such`() async throws {
    try await Self.run { server, issuer async throws in
      let ada = try await Household(on: server)
      let input = Self.input(try await issuer.token())
      #expect(try await ada.parent.perform(Documents.linkIdentity, input).userErrors == [])
      _ = try await ada.parent.perform(Documents.deactivate, ["password": .string(Household.password)])
      let outcome = try await server.visitor.perform(Documents.signInWithIdentity, input)
      #expect(outcome.userErrors == ["input DEACTIVATED"])
      let reactivating = input.setting("input", input["input"].setting("reactivate", true))
      let returned = try await server.visitor.perform(Documents.signInWithIdentity, reactivating)
      #expect(returned["credentials.viewer.id"] == .string(ada.accountID))
    }
  }

  @Test func `of many first sign-ins at once, one makes the account`() async throws {
    try await Self.run { server, issuer async throws in
      let input = Self.input(try await issuer.token())
      let accounts = try await withThrowingTaskGroup { group in
        for _ in 0..<8 {
          group.addTask {
            try await server.visitor.perform(Documents.signInWithIdentity, input)["credentials.viewer.id"]
          }
        }
        return try await group.reduce(into: [Value]()) { $0.append($1) }
      }
      #expect(accounts.count == 8 && Set(accounts).count == 1 && accounts.first != .null)
    }
  }

  @Test func `profile data of the provider is accepted only if a user could have entered it`() async throws {
    let cases: [(claims: Value, more: Value, expected: [String: Value])] = [
      (["name": nil], [:], ["name": "ada"]),
      (["name": nil], ["name": " Ada King "], ["name": "Ada King", "firstName": "Ada"]),
      (["name": "\u{200B}\u{7}"], [:], ["name": "ada"]),
      (["name": "Ada\u{0}\nLovelace"], [:], ["name": "AdaLovelace"]),
      (
        ["name": .string(String(repeating: "x", count: 300))], [:],
        ["name": .string(String(repeating: "x", count: 100))]
      ),
      (
        ["name": nil, "given_name": "Ada", "family_name": "Lovelace"], [:],
        ["name": "Ada Lovelace", "lastName": "Lovelace"]
      ),
      (["birthdate": "1988-12-10", "gender": "female"], [:], ["dateOfBirth": "1988-12-10", "gender": "FEMALE"]),
      (
        ["user_birthday": "12/10/1988", "user_gender": "nonbinary"], [:],
        ["dateOfBirth": "1988-12-10", "gender": "OTHER"]
      ),
      (["birthdate": "2030-01-01"], [:], ["dateOfBirth": nil, "gender": "UNSPECIFIED"]),
      (["birthdate": "0000-12-10"], [:], ["dateOfBirth": nil]),
      (
        ["email": "x7@privaterelay.appleid.com", "is_private_email": "true", "email_verified": "true"],
        ["hideEmail": true], ["email": "x7@privaterelay.appleid.com", "emailVerified": true, "hidesEmail": true]
      ),
      ([:], [:], ["hidesEmail": false]),
    ]
    try await Self.run { server, issuer async throws in
      for (number, (claims, more, expected)) in cases.enumerated() {
        let unique: Value = ["sub": .string("\(number)"), "email": .string("ada@\(number).example.com")]
        let outcome = try await server.visitor.perform(
          Documents.signInWithIdentity,
          Self.input(try await issuer.token(unique.merging(claims)), "APPLE", more)
        )
        #expect(outcome.userErrors == [], "\(claims)")
        for (field, value) in expected { #expect(outcome["credentials.viewer.\(field)"] == value, "\(claims)") }
      }
    }
  }

  @Test func `without a name, a hidden address does not become one`() async throws {
    try await Self.run { server, issuer async throws in
      let token = try await issuer.token(["name": nil, "email": "ada.lovelace@example.com"])
      let hidden: Value = ["hideEmail": true]
      let rejected = try await server.visitor.perform(
        Documents.signInWithIdentity,
        Self.input(token, "APPLE", hidden)
      )
      #expect(rejected.userErrors == ["input.name BLANK"])
      let joined = try await server.visitor.perform(
        Documents.signInWithIdentity,
        Self.input(token, "APPLE", hidden.setting("name", "Ada"))
      )
      #expect(joined.userErrors == [] && joined["credentials.viewer.name"] == "Ada")
    }
  }

  @Test func `an account needs an address, and other fields are validated too`() async throws {
    try await Self.run { server, issuer async throws in
      for email in [nil, "nonsense"] as [Value] {
        let token = try await issuer.token(["email": email])
        let outcome = try await server.visitor.perform(Documents.signInWithIdentity, Self.input(token))
        #expect(outcome.userErrors == ["input.token BLANK"])
      }
      let long = Value.string(String(repeating: "d", count: 101))
      let outcome = try await server.visitor.perform(
        Documents.signInWithIdentity,
        Self.input("nonsense", "GOOGLE", ["device": long, "name": long])
      )
      #expect(outcome.userErrors == ["input.device TOO_LONG", "input.name TOO_LONG", "input.token WRONG_CREDENTIALS"])
    }
  }

  @Test func `an unconfigured provider is reported as such`() async throws {
    try await TestServer.run { server in
      for provider in ["APPLE", "GOOGLE", "FACEBOOK"] {
        let outcome = try await server.visitor.perform(
          Documents.signInWithIdentity,
          Self.input("eyJ", provider)
        )
        #expect(outcome.userErrors == ["input.provider NOT_ALLOWED"])
      }
    }
  }
}
