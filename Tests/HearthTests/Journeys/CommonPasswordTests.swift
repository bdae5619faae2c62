import Storage
import Testing

@testable import Hearth

@Suite("D11: passwords that are guessed first are rejected")
struct CommonPasswordTests {
  static let common = [
    "password", "12345678", "PASSWORD1", "Iloveyou", "qwertyuiop", "1q2w3e4r5t", " password ", "passwor\u{FF44}",
  ]
  /// Not in the list, but as simple.
  static let simple = ["zzzzzzzz", "ééééééééé", "        ", "\t\t\t\t\t\t\t\t", "----------", "🦊🦊🦊🦊🦊🦊🦊🦊"]
  static let own = ["ada@example.com", "ADA@Example.com", "ada lovelace", "AdaLovelace", " Ada  Lovelace"]
  static let good = [
    "correct horse battery", "hearth-demo", "password-1", "ada@example.com!", "Ada Lovelace 2", "abababab",
  ]

  private func register(_ password: String, on server: TestServer) async throws -> [String] {
    let form = Household.form("ada@example.com").setting("password", .string(password))
    return try await server.visitor.perform(Documents.register, ["input": form]).userErrors
  }

  @Test func `by registering`() async throws {
    try await TestServer.run { server in
      for password in Self.common + Self.simple + Self.own {
        let errors = try await register(password, on: server)
        #expect(errors == ["input.password TOO_COMMON"], "\(password.debugDescription)")
      }
      // Said together with all else that is wrong.
      let form: Value = ["email": "ada", "password": "password", "name": "Ada", "dateOfBirth": "1990-01-01"]
      let outcome = try await server.visitor.perform(Documents.register, ["input": form])
      #expect(outcome.userErrors == ["input.email INVALID", "input.password TOO_COMMON"])
      _ = try await Household(on: server)
    }
  }

  @Test func `by changing it, and by resetting it, which spends no token`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      _ = try await server.visitor.perform(Documents.requestReset, ["email": .string(ada.email)])
      let token = Value.string(try await server.mail(to: ada.email, about: "new password").token)
      for password in Self.common + Self.simple + Self.own {
        let change = D11PasswordTests.change(Household.password, password)
        let changed = try await ada.parent.perform(Documents.changePassword, change)
        #expect(changed.userErrors == ["newPassword TOO_COMMON"], "\(password.debugDescription)")
        let reset = try await server.visitor.perform(Documents.reset, ["token": token, "new": .string(password)])
        #expect(reset.userErrors == ["newPassword TOO_COMMON"], "\(password.debugDescription)")
      }
      // Nothing about the account is revealed to callers without its token.
      let made = try await server.visitor.perform(Documents.reset, ["token": "made up", "new": "ada@example.com"])
      #expect(made.userErrors == ["token NOT_FOUND"])
      let reset = try await server.visitor.perform(Documents.reset, ["token": token, "new": "a fresh password"])
      #expect(reset.userErrors == [])
    }
  }

  @Test(arguments: CommonPasswordTests.good)
  func `others are taken`(password: String) async throws {
    try await TestServer.run { server in
      let errors = try await register(password, on: server)
      #expect(errors.isEmpty)
    }
  }

  /// Only new ones are looked at.
  @Test func `a common one of before still signs in`() async throws {
    try await TestServer.run { server in
      _ = try await Household(on: server)
      let hash = try Passwords.hash("password", cost: 10)
      try await server.services.database.write { transaction in
        try transaction.run(SQL<String>("UPDATE account SET password_hash = \(\.self)"), hash)
      }
      let input = A02SignInTests.input("ada@example.com", "password")
      #expect(try await server.visitor.perform(Documents.signIn, input).userErrors == [])
    }
  }
}
