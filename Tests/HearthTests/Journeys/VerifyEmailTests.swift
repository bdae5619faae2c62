import Testing

@testable import Hearth

@Suite("An address is verified by a mail that registering sends")
struct VerifyEmailTests {
  @Test func `the mail's token verifies it, once, and shows the account to its owner alone`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let email = "{ viewer { ... on Account { emailVerified } } }"
      #expect(try await ada.parent.ask(email)["data.viewer.emailVerified"] == false)
      let token = Value.string(try await server.mail(to: "ada@example.com", about: "Confirm").token)
      let outcome = try await ada.parent.perform(Documents.verifyEmail, ["token": token])
      #expect(outcome["account"] == ["id": .string(ada.accountID), "emailVerified": true])
      let again = try await ada.parent.perform(Documents.verifyEmail, ["token": token])
      #expect(again.userErrors == ["token NOT_FOUND"])

      let other = try await Household(on: server, email: "other@example.com")
      let others = Value.string(try await server.mail(to: "other@example.com", about: "Confirm").token)
      let byStranger = try await server.visitor.perform(Documents.verifyEmail, ["token": others])
      #expect(byStranger.userErrors.isEmpty)
      #expect(byStranger["account"] == .null)
      #expect(try await other.parent.ask(email)["data.viewer.emailVerified"] == true)
    }
  }

  @Test func `the token is good for seven days`() async throws {
    try await TestServer.run { server in
      _ = try await Household(on: server)
      let token = Value.string(try await server.mail(to: "ada@example.com", about: "Confirm").token)
      server.clock.advance(days: 7)
      #expect(try await server.visitor.perform(Documents.verifyEmail, ["token": token]).userErrors == ["token EXPIRED"])
    }
  }
}
