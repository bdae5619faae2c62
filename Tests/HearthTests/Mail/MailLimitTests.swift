import Testing

@testable import Hearth

@Suite("Requested mail")
struct MailLimitTests {
  @Test func `an address gets three mails to reset a password, then none for some minutes; the response is the same`()
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

  @Test func `the verification mail can be sent again until the address is verified`() async throws {
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

  @Test func `invitations cannot flood a mailbox, from any senders`() async throws {
    try await TestServer.run { server in
      let ada = try await Household("Ada Lovelace", on: server)
      let carole = try await Household("Carole Hendricks", on: server)
      let sent = { (address: String) in try await server.mails().filter { $0.to.contains(address) }.count }
      // A request that is taken back makes room for the next.
      for _ in 0..<5 {
        for inviter in [ada, carole] {
          let input: Value = ["email": "Grace@example.com", "offer": ["WORK"]]
          let outcome = try await inviter.parent.perform(Documents.inviteContact, input)
          #expect(outcome.userErrors == [])
          // It waits for her all the same.
          #expect(outcome["contactRequest.invitedEmail"] == "Grace@example.com")
          await server.deliverMail()
          _ = try await inviter.parent.perform(Documents.cancelRequest, ["id": outcome["contactRequest.id"]])
        }
      }
      #expect(try await sent("Grace@example.com") == 3)
      let grace: Value = ["email": "grace@example.com"]
      #expect(try await ada.parent.perform(Documents.inviteParent, grace).codes == ["RATE_LIMITED"])
      #expect(try await ada.parent.perform(Documents.inviteParent, ["email": "mary@example.com"]).userErrors == [])
      server.clock.advance(seconds: 600)
      #expect(try await ada.parent.perform(Documents.inviteParent, grace).userErrors == [])
      #expect(try await sent("grace@example.com") == 1)
      #expect(try await sent("mary@example.com") == 1)
    }
  }

  @Test func `an invitation without a mail is mailed when it is repeated later, and only once`() async throws {
    try await TestServer.run(configure: { $0.accessTokenLifetime = 86_400 }) { server in
      let input: Value = ["email": "grace@example.com", "offer": ["WORK"]]
      let sent = { try await server.mails().filter { $0.to.contains("grace@example.com") }.count }
      for number in 0..<3 {
        let other = try await Household(on: server, email: "inviter\(number)@example.com")
        #expect(try await other.parent.perform(Documents.inviteContact, input).userErrors == [])
      }
      let ada = try await Household("Ada Lovelace", on: server)
      let request = try await ada.parent.perform(Documents.inviteContact, input)["contactRequest.id"]
      #expect(try await sent() == 3)
      for (seconds, count) in [(0, 3), (600, 4), (0, 4), (1_200, 4)] as [(Int64, Int)] {
        server.clock.advance(seconds: seconds)
        // The second call finds a mail that waits.
        for _ in 0..<2 {
          let outcome = try await ada.parent.perform(Documents.inviteContact, input)
          #expect(outcome.userErrors == [])
          #expect(outcome["contactRequest.id"] == request)
        }
        #expect(try await sent() == count)
      }
    }
  }

  @Test func `repeated invitations do not use up the mails to an address`() async throws {
    try await TestServer.run { server in
      let ada = try await Household("Ada Lovelace", on: server)
      let carole = try await Household("Carole Hendricks", on: server)
      let input: Value = ["email": "grace@example.com", "offer": ["WORK"]]
      for _ in 0..<3 { #expect(try await ada.parent.perform(Documents.inviteContact, input).userErrors == []) }
      #expect(
        try await carole.parent.perform(Documents.inviteParent, ["email": "grace@example.com"]).userErrors == []
      )
      #expect(try await server.mails().filter { $0.to.contains("grace@example.com") }.count == 2)
    }
  }

  @Test func `a caller who invites very many people must wait`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      try await ada.verifyEmail(on: server)
      for number in 0..<500 {
        let input: Value = ["email": .string("friend\(number)@example.com"), "offer": []]
        #expect(try await ada.parent.perform(Documents.inviteContact, input).errors == .null)
      }
      let more: Value = ["email": "one.more@example.com", "offer": []]
      #expect(try await ada.parent.perform(Documents.inviteContact, more).codes == ["RATE_LIMITED"])
      let parent: Value = ["email": "x@example.com"]
      #expect(try await ada.parent.perform(Documents.inviteParent, parent).codes == ["RATE_LIMITED"])
      server.clock.advance(seconds: 120)
      #expect(try await ada.parent.perform(Documents.inviteContact, more).errors == .null)
    }
  }

  @Test func `children without number bring mails with one`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      try await ada.verifyEmail(on: server)
      for number in 0..<14 { _ = try await ada.addChild("Child \(number)") }
      #expect(try await server.mails().filter { $0.subject.contains("Child") }.count == 10)
    }
  }
}
