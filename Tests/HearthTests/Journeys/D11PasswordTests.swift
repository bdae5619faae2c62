import Storage
import Testing

@testable import Hearth

@Suite("D11: change the password")
struct D11PasswordTests {
  static let fresh = "a fresh password"

  static func change(_ old: String, _ new: String) -> Value { ["old": .string(old), "new": .string(new)] }

  @Test func `the new one signs in, also the children, and the old one does not`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      _ = try await ada.addChild("Mia", username: "mia")
      let outcome = try await ada.parent.perform(Documents.changePassword, Self.change(Household.password, Self.fresh))
      #expect(outcome.userErrors.isEmpty)
      #expect(outcome["account.email"] == "ada@example.com")
      for (password, expected) in [(Household.password, ["input WRONG_CREDENTIALS"]), (Self.fresh, [])] {
        let parent = A02SignInTests.input("ada@example.com", password)
        #expect(try await server.visitor.perform(Documents.signIn, parent).userErrors == expected)
        let child = C5ChildSignInTests.input("mia", password)
        #expect(try await server.visitor.perform(Documents.signInChild, child).userErrors == expected)
      }
    }
  }

  @Test func `all other sessions that the old one opened end, and the current one stays`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      _ = try await ada.addChild("Mia", username: "mia")
      let child = try await ada.signIn("mia")
      let phone = try await A16SignOutTests.signIn(server)
      #expect(try await phone.client.ask(Documents.whoAmI)["errors"] == .null)
      _ = try await ada.parent.perform(Documents.changePassword, Self.change(Household.password, Self.fresh))
      for client in [phone.client, child] {
        #expect(try await client.ask(Documents.whoAmI)["errors.0.extensions.code"] == "TOKEN_REVOKED")
      }
      let refreshed = try await server.visitor.perform(Documents.refresh, ["token": .string(phone.refreshToken)])
      #expect(refreshed.userErrors == ["refreshToken NOT_FOUND"])
      #expect(try await ada.parent.ask(Documents.whoAmI)["errors"] == .null)
    }
  }

  @Test(arguments: [
    ("wrong password", D11PasswordTests.fresh, ["oldPassword WRONG_CREDENTIALS"]),
    ("", D11PasswordTests.fresh, ["oldPassword WRONG_CREDENTIALS"]),
    (Household.password, "short", ["newPassword TOO_SHORT"]),
    (Household.password, "", ["newPassword BLANK"]),
    (Household.password, String(repeating: "x", count: 257), ["newPassword TOO_LONG"]),
    ("wrong password", "", ["newPassword BLANK", "oldPassword WRONG_CREDENTIALS"]),
  ])
  func `all errors are reported at once, and nothing has changed`(
    old: String,
    new: String,
    expected: [String]
  ) async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let phone = try await A16SignOutTests.signIn(server)
      let outcome = try await ada.parent.perform(Documents.changePassword, Self.change(old, new))
      #expect(outcome.userErrors == expected)
      #expect(outcome["account"] == .null)
      #expect(try await phone.client.ask(Documents.whoAmI)["errors"] == .null)
      _ = try await A16SignOutTests.signIn(server)
    }
  }

  @Test func `it is for signed-in adults`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      _ = try await ada.addChild("Mia", username: "mia")
      let child = try await ada.signIn("mia")
      let variables = Self.change(Household.password, Self.fresh)
      #expect(try await child.perform(Documents.changePassword, variables).codes == ["FORBIDDEN"])
      #expect(try await server.visitor.perform(Documents.changePassword, variables).codes == ["UNAUTHENTICATED"])
      _ = try await A16SignOutTests.signIn(server)
    }
  }

  @Test func `accounts with a provider only get instructions for setting a password`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      try await server.services.database.write { transaction in
        try transaction.statement(StatementText("UPDATE account SET password_hash = NULL")).run()
      }
      let change = Self.change("", Self.fresh)
      #expect(try await ada.parent.perform(Documents.changePassword, change).userErrors == ["oldPassword NOT_ALLOWED"])
      let leave: Value = ["password": ""]
      #expect(try await ada.parent.perform(Documents.deactivate, leave).userErrors == ["password NOT_ALLOWED"])
      _ = try await server.visitor.perform(Documents.requestReset, ["email": .string(ada.email)])
      let token = Value.string(try await server.mail(to: ada.email, about: "new password").token)
      let reset = try await server.visitor.perform(Documents.reset, ["token": token, "new": .string(Self.fresh)])
      let app = server.visitor.with(token: reset["credentials.accessToken"].string)
      #expect(try await app.perform(Documents.deactivate, ["password": .string(Self.fresh)])["deactivated"] == true)
    }
  }
}
