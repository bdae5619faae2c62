import Testing

@testable import Hearth

@Suite("D11: forgotten password")
struct D11ForgottenPasswordTests {
  static let fresh = "a fresh password"

  private func resetToken(_ server: TestServer) async throws -> String {
    let outcome = try await server.visitor.perform(Documents.requestReset, ["email": "ada@example.com"])
    #expect(outcome["requested"] == true)
    return try await server.mail(to: "ada@example.com", about: "new password").token
  }

  private func reset(_ server: TestServer, _ token: String, _ password: String = fresh) async throws -> Outcome {
    try await server.visitor.perform(Documents.reset, ["token": .string(token), "new": .string(password)])
  }

  @Test func `the mail's token gives a new password, signs in, and ends all other sessions`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      #expect(try await ada.parent.ask(Documents.whoAmI)["errors"] == .null)
      let outcome = try await reset(server, try await resetToken(server))
      #expect(outcome.userErrors.isEmpty)
      #expect(outcome["credentials.viewer.id"] == .string(ada.accountID))
      let app = server.visitor.with(token: outcome["credentials.accessToken"].string)
      #expect(try await app.ask("{ viewer { ... on Account { emailVerified } } }")["data.viewer.emailVerified"] == true)
      #expect(try await ada.parent.ask(Documents.whoAmI)["errors.0.extensions.code"] == "TOKEN_REVOKED")
      for (password, expected) in [(Household.password, ["input WRONG_CREDENTIALS"]), (Self.fresh, [])] {
        let input = A02SignInTests.input("ada@example.com", password)
        #expect(try await server.visitor.perform(Documents.signIn, input).userErrors == expected)
      }
    }
  }

  @Test func `a token works once`() async throws {
    try await TestServer.run { server in
      _ = try await Household(on: server)
      let token = try await resetToken(server)
      #expect(try await reset(server, token).userErrors.isEmpty)
      let again = try await reset(server, token, "another password")
      #expect(again.userErrors == ["token NOT_FOUND"])
      #expect(again["credentials"] == .null)
    }
  }

  @Test func `of many who use it at the same moment, one is signed in`() async throws {
    try await TestServer.run { server in
      _ = try await Household(on: server)
      let token = try await resetToken(server)
      let errors = try await withThrowingTaskGroup { group in
        for _ in 0..<4 { group.addTask { try await reset(server, token).userErrors } }
        return try await group.reduce(into: [[String]]()) { $0.append($1) }
      }
      #expect(errors.count { $0.isEmpty } == 1)
      #expect(errors.count { $0 == ["token NOT_FOUND"] } == 3)
    }
  }

  @Test func `a token is good for an hour`() async throws {
    try await TestServer.run { server in
      _ = try await Household(on: server)
      let (early, late) = (try await resetToken(server), try await resetToken(server))
      server.clock.advance(seconds: 3_599)
      // A bad password spends no token.
      #expect(try await reset(server, early, "short").userErrors == ["newPassword TOO_SHORT"])
      server.clock.advance(seconds: 1)
      #expect(try await reset(server, late).userErrors == ["token EXPIRED"])
      #expect(try await reset(server, early, "").userErrors == ["newPassword BLANK", "token EXPIRED"])
    }
  }

  @Test func `a new password makes the other tokens void`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let tokens = [try await resetToken(server), try await resetToken(server)]
      #expect(tokens[0] != tokens[1])
      _ = try await ada.parent.perform(
        Documents.changePassword,
        ["old": .string(Household.password), "new": "changed it"]
      )
      for token in tokens { #expect(try await reset(server, token).userErrors == ["token NOT_FOUND"]) }
    }
  }

  @Test func `an address without an account gets the same response and no mail`() async throws {
    try await TestServer.run { server in
      _ = try await Household(on: server)
      let left = try await Household(on: server, email: "left@example.com")
      _ = try await left.parent.perform(Documents.deactivate, D11DeactivateTests.password)
      // Until then it can return.
      server.clock.advance(days: 30)
      var answers: Set<String> = []
      for email in ["ada@example.com", "ADA@example.com", "nobody@example.com", "left@example.com"] {
        answers.insert(try await server.visitor.post(Documents.requestReset, ["email": .string(email)]).text)
      }
      #expect(answers.count == 1, "\(answers)")
      let mails = try await server.mails().filter { $0.subject == "Choose a new password" }
      #expect(mails.count == 2)
      #expect(mails.allSatisfy { $0.to == "Ada Lovelace <ada@example.com>" }, "\(mails.map(\.to))")
      let rejected = try await server.visitor.perform(Documents.requestReset, ["email": "no address"])
      #expect(rejected.userErrors == ["email INVALID"])
    }
  }

  @Test func `it takes as long, whether there is an account or none`() async throws {
    try await TestServer.run { server in
      _ = try await Household(on: server)
      let visitor = server.visitor
      let emails = ["ada@example.com", "nobody@example.com"]
      var times: [String: [Duration]] = [:]
      for round in 0..<80 {
        // Each is the first as often as the other: what the one leaves to be done falls on both.
        for email in round % 2 == 0 ? emails : emails.reversed() {
          let time = try await ContinuousClock().measure {
            _ = try await visitor.perform(Documents.requestReset, ["email": .string(email)])
          }
          times[email, default: []].append(time)
        }
        await server.deliverMail()
      }
      // A mail that is being written takes some of the machine; a request that writes nothing would never be the
      // longer.
      let share = shareOfLonger(times[emails[0], default: []], than: times[emails[1], default: []])
      #expect(share > 0.1 && share < 0.9, "\(share)")
    }
  }

  @Test(arguments: ["", "nonsense", String(repeating: "A", count: 43), String(repeating: "x", count: 10_000), "\u{0}"])
  func `a token that was never given does nothing`(token: String) async throws {
    try await TestServer.run { server in
      _ = try await Household(on: server)
      #expect(try await reset(server, token).userErrors == ["token NOT_FOUND"])
      let verified = try await server.visitor.perform(Documents.verifyEmail, ["token": .string(token)])
      #expect(verified.userErrors == ["token NOT_FOUND"])
      let signedIn = try await server.visitor.perform(Documents.signInWithCode, ["token": .string(token)])
      #expect(signedIn.userErrors == ["token NOT_FOUND"])
    }
  }

  @Test func `a token is valid for its purpose only`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let verification = try await server.mail(to: "ada@example.com", about: "Confirm").token
      #expect(try await reset(server, verification).userErrors == ["token NOT_FOUND"])
      let accepted = try await ada.parent.perform(Documents.acceptInvitation, ["token": .string(verification)])
      #expect(accepted.userErrors == ["token NOT_FOUND"])
      let token = try await resetToken(server)
      let verified = try await ada.parent.perform(Documents.verifyEmail, ["token": .string(token)])
      #expect(verified.userErrors == ["token NOT_FOUND"])
      #expect(try await reset(server, token).userErrors.isEmpty)
    }
  }
}
