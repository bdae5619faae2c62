import Testing

@testable import Hearth

@Suite("Mail for the asking")
struct MailLimitTests {
  @Test func `an address gets three mails to reset a password, and then some minutes none; the answer is the same`()
    async throws
  {
    try await TestServer.run { server in
      _ = try await Household(on: server)
      _ = try await Household(on: server, email: "ben@example.com")
      _ = try await server.mails()
      var answers: Set<String> = []
      for email in ["ada@example.com", "ADA@example.com", "ada@example.com", "Ada@example.com", "ada@example.com"] {
        answers.insert(try await server.visitor.post(Documents.requestReset, ["email": .string(email)]).text)
      }
      answers.insert(try await server.visitor.post(Documents.requestReset, ["email": "nobody@example.com"]).text)
      #expect(answers.count == 1)
      let sent = { try await server.mails().filter { $0.subject.contains("password") }.map(\.to) }
      #expect(try await sent().count == 3)
      _ = try await server.visitor.perform(Documents.requestReset, ["email": "ben@example.com"])
      #expect(try await sent().count == 4)
      server.clock.advance(seconds: 600)
      for _ in 0..<2 { _ = try await server.visitor.perform(Documents.requestReset, ["email": "ada@example.com"]) }
      #expect(try await sent().count == 5)
    }
  }

  @Test func `the mail to verify an address can be had again, until it is verified`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      _ = try await ada.addChild("Mia", username: "mia")
      #expect(try await server.visitor.perform(Documents.resendVerification).codes == ["UNAUTHENTICATED"])
      #expect(try await ada.signIn("mia").perform(Documents.resendVerification).codes == ["FORBIDDEN"])
      for _ in 0..<3 { #expect(try await ada.parent.perform(Documents.resendVerification)["sent"] == true) }
      #expect(try await ada.parent.perform(Documents.resendVerification).codes == ["RATE_LIMITED"])
      let mails = try await server.mails().filter { $0.subject.contains("Confirm") }
      #expect(mails.count == 4)
      let token = try #require(mails.last).token
      #expect(try await server.visitor.perform(Documents.verifyEmail, ["token": .string(token)]).userErrors == [])
      server.clock.advance(seconds: 600)
      let again = try await ada.parent.perform(Documents.resendVerification)
      #expect(again["sent"] == false)
      #expect(again["userErrors"].each("code") == ["CONFLICT"])
    }
  }
}
