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

  @Test func `the response is the same for every wrong input`() async throws {
    try await TestServer.run { server in
      _ = try await Household(on: server)
      let wrong = [
        ("ada@example.com", "correct horse batterz"), ("ada@example.com", ""),
        ("nobody@example.com", Household.password),
        (Household.password, "ada@example.com"), ("", ""), ("  ", "  "), ("ada", Household.password),
        ("ada@example.com", Household.password + " "), ("ada@example.com", Household.password.uppercased()),
        ("ada@example.com\u{0}", Household.password), ("%", Household.password),
        ("ada@example.com", String(repeating: "x", count: 50_000)),
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

  /// The requests alternate, so that other work of the machine affects both kinds, and each kind takes longer about
  /// half of the time. If only one kind hashed a password, that kind would always take longer. With this number of
  /// samples, chance exceeds the bounds once in a million runs.
  @Test func `a wrong pair takes as long, whether there is an account or none`() async throws {
    // Slow enough that hashing dominates the time.
    try await TestServer.run(configure: { $0.passwordCost = 13 }) { server in
      let samples = 24
      // Each has fewer tries than limit them.
      for number in 0..<4 { _ = try await Household(on: server, email: "known\(number)@example.com") }
      let visitor = server.visitor
      let clock = ContinuousClock()
      func time(_ email: String) async throws -> Duration {
        try await clock.measure {
          let outcome = try await visitor.perform(Documents.signIn, Self.input(email, "wrong password"))
          #expect(outcome.userErrors == ["input WRONG_CREDENTIALS"])
        }
      }
      var known: [Duration] = []
      var unknown: [Duration] = []
      for sample in 0..<samples {
        known.append(try await time("known\(sample % 4)@example.com"))
        unknown.append(try await time("nobody\(sample % 4)@example.com"))
      }
      let share = shareOfLonger(known, than: unknown)
      #expect(share > 0.1 && share < 0.9, "known \(known.sorted()), unknown \(unknown.sorted())")
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
