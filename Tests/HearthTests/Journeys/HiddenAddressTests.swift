import Storage
import Testing

@testable import Hearth

@Suite("An invitation does not disclose whose hidden address it was sent to")
struct HiddenAddressTests {
  @Test func `an invitation that is older than the account arrives only if the address is not hidden`() async throws {
    try await TestServer.run { server in
      let stan = try await Household("Stan Stone", on: server)
      for email in ["hanna@private.example", "hugo@public.example"] {
        let input: Value = ["email": .string(email), "offer": ["WORK"]]
        #expect(try await stan.parent.perform(Documents.inviteContact, input)["contactRequest.to"] == .null)
      }
      let hanna = try await Household(on: server, email: "hanna@private.example", name: "Hanna Hidden")
      let hugo = try await Household(on: server, email: "hugo@public.example", name: "Hugo Shown")
      try await server.services.database.write { transaction in
        try transaction.statement(
          StatementText("UPDATE account SET hides_email = 1 WHERE email_key = 'hanna@private.example'")
        ).run()
      }
      for one in [hanna, hugo] { try await one.verifyEmail(on: server) }
      let sent = try await stan.requests("OUTGOING")["nodes"]
      #expect(sent.each("invitedEmail") == ["hugo@public.example", "hanna@private.example"])
      #expect(sent.each("to.name") == ["Hugo Shown", nil])
      #expect(try await stan.sees(hanna)["relation"] == "NONE")
      #expect(try await hanna.requests()["totalCount"] == 0)
      #expect(try await hanna.news() == [])
      #expect(try await hugo.news() == ["Stan Stone asks to become your contact."])
      // A request to the person is independent of the invitation.
      let asking: Value = ["id": .string(hanna.personID), "offer": ["WORK"]]
      let asked = try await stan.parent.perform(Documents.requestContact, asking)
      #expect(asked.userErrors == [])
      #expect(asked["contactRequest.to.name"] == "Hanna Hidden")
      #expect(asked["contactRequest.invitedEmail"] == .null)
    }
  }
}
