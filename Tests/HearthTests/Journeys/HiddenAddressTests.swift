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

  @Test func `an address can be hidden, and invitations to it arrive once it is shown again`() async throws {
    try await TestServer.run { server in
      let stan = try await Household("Stan Stone", on: server)
      let hanna = try await Household(on: server, email: "hanna@private.example", name: "Hanna Hidden")
      try await hanna.verifyEmail(on: server)
      func matched() async throws -> Value {
        let entries: Value = [["name": "Hanna", "emails": ["hanna@private.example"]]]
        let outcome = try await stan.parent.perform(Documents.matchAddressBook, ["entries": entries])
        return outcome["matches.0.person.name"]
      }
      #expect(try await matched() == "Hanna Hidden")
      #expect(try await Self.hide(true, hanna) == true)
      #expect(try await matched() == .null)
      let input: Value = ["email": "hanna@private.example", "offer": ["WORK"]]
      #expect(try await stan.parent.perform(Documents.inviteContact, input)["contactRequest.to"] == .null)
      #expect(try await Self.hide(nil, hanna) == true)
      #expect(try await hanna.news() == [])
      #expect(try await Self.hide(false, hanna) == false)
      #expect(try await hanna.news() == ["Stan Stone asks to become your contact."])
      #expect(try await stan.requests("OUTGOING")["nodes"].each("to.name") == ["Hanna Hidden"])
      #expect(try await matched() == "Hanna Hidden")
    }
  }

  @Test func `an open invitation ends when the two become contacts, unless the address is hidden`() async throws {
    try await TestServer.run { server in
      let stan = try await Household("Stan Stone", on: server)
      let hanna = try await Household(on: server, email: "hanna@private.example", name: "Hanna Hidden")
      let hugo = try await Household(on: server, email: "hugo@public.example", name: "Hugo Shown")
      for one in [hanna, hugo] {
        try await one.verifyEmail(on: server)
        _ = try await Self.hide(true, one)
        let input: Value = ["email": .string(one.email), "offer": ["WORK"]]
        #expect(try await stan.parent.perform(Documents.inviteContact, input)["contactRequest.to"] == .null)
      }
      // Earlier versions have not delivered all invitations, such as those to people who have returned.
      try await server.services.database.write { transaction in
        try transaction.statement(
          StatementText("UPDATE account SET hides_email = 0 WHERE email_key = 'hugo@public.example'")
        ).run()
      }
      for one in [hanna, hugo] { try await stan.befriend(one) }
      #expect(try await stan.requests("OUTGOING")["nodes"].each("invitedEmail") == ["hanna@private.example"])
    }
  }

  @Test func `a co-parent's hidden address is invited like any other`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let grace = try await Household("Grace Hopper", on: server)
      try await grace.verifyEmail(on: server)
      func invite(_ address: String) async throws -> Outcome {
        try await ada.parent.perform(Documents.inviteParent, ["email": .string(address)])
      }
      _ = try await invite(grace.email)
      let token = Value.string(try await server.mail(to: grace.email, about: "invites").token)
      #expect(try await grace.parent.perform(Documents.acceptInvitation, ["token": token]).userErrors == [])
      #expect(try await invite(grace.email).userErrors == ["email TAKEN"])
      _ = try await Self.hide(true, grace)
      #expect(try await invite(grace.email).userErrors == [])
      #expect(try await invite(ada.email).userErrors == ["email TAKEN"], "One's own address is known to oneself.")
    }
  }

  /// Returns whether the address is hidden then.
  private static func hide(_ hides: Value, _ household: Household) async throws -> Value {
    let document = """
      mutation ($hides: Boolean) { updateAccount(input: { hidesEmail: $hides }) {
        account { hidesEmail } \(Documents.errors) } }
      """
    let outcome = try await household.parent.perform(document, ["hides": hides])
    #expect(outcome.userErrors == [])
    return outcome["account.hidesEmail"]
  }
}
