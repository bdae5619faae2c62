import Testing

@testable import Hearth

@Suite("A2: sign in")
struct A02SignInTests {
  static func input(_ email: String, _ password: String) -> Value {
    ["input": ["email": .string(email), "password": .string(password)]]
  }

  @Test(arguments: ["ada@example.com", "ADA@EXAMPLE.COM", "  ada@example.com "])
  func `address and password sign in`(email: String) async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let outcome = try await server.visitor.perform(Documents.signIn, Self.input(email, Household.password))
      #expect(outcome["credentials.tokenType"] == "Bearer")
      #expect(outcome["credentials.viewer.id"] == .string(ada.accountID))
      let again = server.visitor.with(token: outcome["credentials.accessToken"].string)
      #expect(try await again.ask(Documents.whoAmI)["data.viewer.id"] == .string(ada.accountID))
    }
  }

  @Test func `whatever is wrong, the answer is the same`() async throws {
    try await TestServer.run { server in
      _ = try await Household(on: server)
      let wrong = [
        ("ada@example.com", "correct horse batterz"), ("ada@example.com", ""),
        ("nobody@example.com", Household.password),
        (Household.password, "ada@example.com"), ("", ""), ("  ", "  "), ("ada", Household.password),
        ("ada@example.com", Household.password + " "), ("ada@example.com", Household.password.uppercased()),
        ("ada@example.com\u{0}", Household.password), ("%", Household.password),
        ("ada@example.com", String(repeating: "x", count: 100_000)),
      ]
      var answers: Set<String> = []
      for (email, password) in wrong {
        let answer = try await server.visitor.post(Documents.signIn, Self.input(email, password))
        #expect(answer.status == 200)
        answers.insert(answer.text)
      }
      #expect(answers.count == 1, "\(answers)")
      let outcome = try await server.visitor.perform(Documents.signIn, Self.input("", ""))
      #expect(outcome.userErrors == ["input WRONG_CREDENTIALS"])
      #expect(outcome["credentials"] == .null)
    }
  }

  @Test func `a wrong pair takes as long, whether there is an account or none`() async throws {
    // Dear enough that hashing is what takes the time.
    try await TestServer.run(configure: { $0.passwordCost = 14 }) { server in
      _ = try await Household(on: server)
      let clock = ContinuousClock()
      func shortest(_ email: String) async throws -> Duration {
        var shortest = Duration.seconds(60)
        for _ in 0..<3 {
          let visitor = server.visitor
          let time = try await clock.measure {
            _ = try await visitor.perform(Documents.signIn, Self.input(email, "wrong password"))
          }
          shortest = min(shortest, time)
        }
        return shortest
      }
      let known = try await shortest("ada@example.com")
      let unknown = try await shortest("nobody@example.com")
      #expect(unknown > known / 3 && known > unknown / 3, "known \(known), unknown \(unknown)")
    }
  }

  @Test func `a session that is not to be remembered ends after a day without use`() async throws {
    try await TestServer.run { server in
      _ = try await Household(on: server)
      func sessionsToken(remembered: Bool) async throws -> Value {
        let input = Self.input("ada@example.com", Household.password)["input"]
          .setting("rememberMe", .boolean(remembered))
        return try await server.visitor.perform(Documents.signIn, ["input": input])["credentials.refreshToken"]
      }
      let short = try await sessionsToken(remembered: false)
      let long = try await sessionsToken(remembered: true)
      server.clock.advance(seconds: 86_400 + 1)
      let refreshed = try await server.visitor.perform(Documents.refresh, ["token": short])
      #expect(refreshed.userErrors == ["refreshToken EXPIRED"])
      server.clock.advance(days: 178)
      #expect(try await server.visitor.perform(Documents.refresh, ["token": long]).userErrors.isEmpty)
    }
  }

  @Test func `a device's name is checked, but only for those with the right password`() async throws {
    try await TestServer.run { server in
      _ = try await Household(on: server)
      let device = Value.string(String(repeating: "d", count: 101))
      for (password, expected) in [
        (Household.password, "input.device TOO_LONG"), ("wrong password", "input WRONG_CREDENTIALS"),
      ] {
        let input = Self.input("ada@example.com", password)["input"].setting("device", device)
        #expect(try await server.visitor.perform(Documents.signIn, ["input": input]).userErrors == [expected])
      }
    }
  }
}
