import Testing

@testable import Hearth

@Suite("D6: contact requests, sent and received")
struct D06RequestTests {
  @Test func `a request that is accepted puts each in the other's book, with what each shares`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      let browning = try await Household("Browning Duncan", on: server)
      let asked = try await user.parent.perform(
        Documents.requestContact,
        [
          "id": .string(browning.personID), "offer": ["PERSONAL", "WORK"], "request": ["WORK"],
          "message": " Do you remember me?\nIt is me. ",
        ]
      )
      #expect(asked.userErrors.isEmpty)
      #expect(asked["contact"] == .null)
      let request = asked["contactRequest"]
      #expect(request["from.name"] == "Kloudbook User")
      #expect(request["to.name"] == "Browning Duncan")
      #expect(request["offered"] == ["WORK", "PERSONAL"])
      #expect(request["requested"] == ["WORK"])
      #expect(request["message"] == "Do you remember me?\nIt is me.")
      #expect(request["invitedEmail"] == .null)
      #expect(try await browning.requests() == ["totalCount": 1, "nodes": [request]])
      #expect(try await user.requests("OUTGOING") == ["totalCount": 1, "nodes": [request]])
      #expect(try await user.requests() == ["totalCount": 0, "nodes": []])
      #expect(try await browning.requests("OUTGOING") == ["totalCount": 0, "nodes": []])
      #expect(try await browning.news() == ["Kloudbook User asks to become your contact."])
      #expect(try await user.sees(browning)["relation"] == "REQUEST_SENT")
      #expect(try await browning.sees(user)["relation"] == "REQUEST_RECEIVED")

      let accepted = try await browning.parent.perform(
        Documents.acceptContact,
        ["id": request["id"], "share": ["SCHOOL"]]
      )
      #expect(accepted["contact.person.name"] == "Kloudbook User")
      #expect(accepted["contact.sharing"] == ["SCHOOL"])
      #expect(accepted["contact.sharedWithViewer"] == ["WORK", "PERSONAL"])
      #expect(accepted["contact.since"] == "2026-11-21T08:00:00Z")
      let contact = try await user.parent.ask(Documents.contacts)["data.viewer.contacts.nodes.0"]
      #expect(contact["sharing"] == ["WORK", "PERSONAL"])
      #expect(contact["sharedWithViewer"] == ["SCHOOL"])
      #expect(try await user.book() == ["Browning Duncan"])
      #expect(try await browning.book() == ["Kloudbook User"])
      #expect(try await user.news() == ["Browning Duncan is now in your address book."])
      for one in [user, browning] {
        for direction in ["INCOMING", "OUTGOING"] {
          #expect(try await one.requests(direction) == ["totalCount": 0, "nodes": []])
        }
      }
      #expect(try await user.sees(browning)["relation"] == "CONTACT")
    }
  }

  @Test func `one that is rejected or taken back leaves both books as they were`() async throws {
    try await TestServer.run { server in
      var user = try await Household("Kloudbook User", on: server)
      var browning = try await Household("Browning Duncan", on: server)
      let first = try await user.request(browning)
      let rejected = try await browning.parent.perform(Documents.rejectContact, ["id": .string(first)])
      #expect(rejected["removedId"] == .string(first))
      server.clock.advance(days: 31)
      (user, browning) = (try await user.signedInAgain(on: server), try await browning.signedInAgain(on: server))
      let second = try await user.request(browning)
      #expect(second != first)
      let cancelled = try await user.parent.perform(Documents.cancelRequest, ["id": .string(second)])
      #expect(cancelled["removedId"] == .string(second))
      for one in [user, browning] {
        #expect(try await one.book() == [])
        #expect(try await one.requests()["totalCount"] == 0)
        #expect(try await one.requests("OUTGOING")["totalCount"] == 0)
      }
      #expect(try await user.news() == [])
      let received = try await browning.parent.ask(Documents.notifications)["data.viewer.notifications.nodes"]
      #expect(received.each("request") == [nil, nil])
    }
  }

  @Test func `after a rejection the sender cannot ask again for thirty days, unless the other asks`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      let browning = try await Household("Browning Duncan", on: server)
      func ask(_ one: Household, _ other: Household) async throws -> Outcome {
        try await one.parent.perform(
          Documents.requestContact,
          ["id": .string(other.personID), "offer": ["WORK"]]
        )
      }
      let first = try await user.request(browning)
      // A withdrawn request does not count as rejected.
      _ = try await user.parent.perform(Documents.cancelRequest, ["id": .string(first)])
      let second = try await user.request(browning)
      _ = try await browning.parent.perform(Documents.rejectContact, ["id": .string(second)])
      let refused = try await ask(user, browning)
      #expect(refused.userErrors == ["personId NOT_ALLOWED"])
      #expect(refused["userErrors.0.message"].string?.contains("in 30 days") == true)
      // By their address neither.
      let token = try await server.mail(to: browning.email, about: "Confirm").token
      _ = try await browning.parent.perform(Documents.verifyEmail, ["token": .string(token)])
      let invited = try await user.parent.perform(
        Documents.inviteContact,
        ["email": .string(browning.email), "offer": []]
      )
      #expect(invited.userErrors == ["email NOT_ALLOWED"])
      #expect(try await browning.requests()["totalCount"] == 0)

      // The person who rejected can ask, and the other cannot be asked to reopen the old request.
      let turned = try await browning.request(user)
      _ = try await user.parent.perform(Documents.rejectContact, ["id": .string(turned)])
      #expect(try await ask(browning, user).userErrors == ["personId NOT_ALLOWED"])
      let third = try await user.request(browning)
      _ = try await browning.parent.perform(Documents.rejectContact, ["id": .string(third)])
      server.clock.advance(seconds: 30 * 86_400 - 1)
      let late = try await user.signedInAgain(on: server)
      #expect(try await ask(late, browning)["userErrors.0.message"].string?.contains("in a day") == true)
      server.clock.advance(seconds: 1)
      #expect(try await ask(late, browning).userErrors == [])
    }
  }

  @Test func `an invitation that reaches someone who has rejected its sender is dropped`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      let browning = try await Household("Browning Duncan", on: server)
      let invite: Value = ["email": .string(browning.email), "offer": []]
      _ = try await user.parent.perform(Documents.inviteContact, invite)
      let request = try await user.request(browning)
      _ = try await browning.parent.perform(Documents.rejectContact, ["id": .string(request)])
      let token = try await server.mail(to: browning.email, about: "Confirm").token
      _ = try await browning.parent.perform(Documents.verifyEmail, ["token": .string(token)])
      #expect(try await browning.requests()["totalCount"] == 0)
      #expect(try await user.requests("OUTGOING")["totalCount"] == 0)
    }
  }

  @Test func `an invitation that is delivered lifts the rejection of its recipient's requests`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      let browning = try await Household("Browning Duncan", on: server)
      let rejected = try await user.request(browning)
      _ = try await browning.parent.perform(Documents.rejectContact, ["id": .string(rejected)])
      let invite: Value = ["email": .string(user.email), "offer": []]
      let invited = try await browning.parent.perform(Documents.inviteContact, invite)
      try await user.verifyEmail(on: server)
      let received = try await user.requests()["nodes.0"]
      #expect(received["from.name"] == "Browning Duncan" && received["id"] == invited["contactRequest.id"])
      let cancelled = try await browning.parent.perform(Documents.cancelRequest, ["id": received["id"]])
      #expect(cancelled.userErrors == [])
      _ = try await user.request(browning)
      #expect(try await browning.requests()["totalCount"] == 1)
    }
  }

  @Test func `nobody else can answer or withdraw a request, and nobody can do it twice`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      let browning = try await Household("Browning Duncan", on: server)
      let other = try await Household("Emily Smith", on: server)
      let request = Value.string(try await user.request(browning))
      let before = [try await user.contactBook(), try await browning.contactBook(), try await other.contactBook()]
      let attempts: [(Household, String)] = [
        (user, Documents.acceptContact), (other, Documents.acceptContact), (user, Documents.rejectContact),
        (other, Documents.rejectContact), (browning, Documents.cancelRequest), (other, Documents.cancelRequest),
      ]
      for (who, document) in attempts {
        let outcome = try await who.parent.perform(document, ["id": request, "share": ["WORK"]])
        #expect(outcome.userErrors == ["requestId NOT_FOUND"])
      }
      #expect(
        try await [user.contactBook(), browning.contactBook(), other.contactBook()] == before
      )
      let node = "query ($id: ID!) { node(id: $id) { ... on ContactRequest { id } } }"
      #expect(try await other.parent.ask(node, ["id": request]) == ["data": ["node": nil]])
      #expect(try await browning.parent.ask(node, ["id": request])["data.node.id"] == request)
      let accept: Value = ["id": request, "share": []]
      #expect(try await browning.parent.perform(Documents.acceptContact, accept).userErrors.isEmpty)
      #expect(
        try await browning.parent.perform(Documents.acceptContact, accept).userErrors == ["requestId NOT_FOUND"]
      )
      #expect(try await user.book() == ["Browning Duncan"])
    }
  }

  @Test func `a request that crosses another accepts it, and a repeated request changes nothing`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      let browning = try await Household("Browning Duncan", on: server)
      let request = try await user.request(browning, offering: ["WORK"])
      let before = [try await user.contactBook(), try await browning.contactBook()]
      #expect(try await user.request(browning, offering: ["PERSONAL"]) == request)
      #expect(try await [user.contactBook(), browning.contactBook()] == before)

      let crossing = try await browning.parent.perform(
        Documents.requestContact,
        ["id": .string(user.personID), "offer": ["SCHOOL"]]
      )
      #expect(crossing["contactRequest"] == .null)
      #expect(crossing["contact.person.name"] == "Kloudbook User")
      #expect(crossing["contact.sharing"] == ["SCHOOL"])
      #expect(crossing["contact.sharedWithViewer"] == ["WORK"])
      #expect(try await user.news() == ["Browning Duncan is now in your address book."])
      #expect(try await user.requests("OUTGOING")["totalCount"] == 0)
      for (one, other) in [(user, browning), (browning, user)] {
        let again = try await one.parent.perform(
          Documents.requestContact,
          ["id": .string(other.personID), "offer": []]
        )
        #expect(again.userErrors == ["personId CONFLICT"])
      }
    }
  }

  @Test func `only other active adults can be asked, and all errors are reported at once`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      let gone = try await Household("Browning Duncan", on: server)
      _ = try await gone.parent.perform(Documents.deactivate, ["password": .string(Household.password)])
      let child = try await user.addChild("Mia")
      let before = try await user.contactBook()
      let long = Value.string(String(repeating: "x", count: 2_001))
      for id in [gone.personID, child, user.familyID, gone.accountID] + OtherFamiliesTests.nothing {
        let outcome = try await user.parent.perform(
          Documents.requestContact,
          ["id": .string(id), "offer": [], "message": long]
        )
        #expect(outcome.userErrors == ["message TOO_LONG", "personId NOT_FOUND"])
      }
      for id in [user.personID, user.accountID] {
        let outcome = try await user.parent.perform(Documents.requestContact, ["id": .string(id), "offer": []])
        #expect(outcome.userErrors.first?.hasPrefix("personId ") == true)
      }
      #expect(try await user.contactBook() == before)
    }
  }

  @Test func `two who ask each other at the same moment are in contact, once`() async throws {
    try await TestServer.run { server in
      let one = try await Household("Kloudbook User", on: server)
      let other = try await Household("Browning Duncan", on: server)
      for _ in 0..<20 {
        let (first, second) = (one.parent.another, other.parent.another)
        let (me, them): (Value, Value) = (.string(one.personID), .string(other.personID))
        async let asked = first.perform(Documents.requestContact, ["id": them, "offer": ["WORK"]])
        async let answered = second.perform(Documents.requestContact, ["id": me, "offer": ["SCHOOL"]])
        let outcomes = try await [asked, answered]
        #expect(outcomes.filter { $0["contact.id"] != .null }.count == 1)
        // The request of the one who came first may be answered before it is shown to them.
        #expect(outcomes.filter { $0["contactRequest.id"] != .null }.count <= 1)
        #expect(outcomes.map(\.userErrors) == [[], []])
        #expect(try await one.book() == ["Browning Duncan"])
        #expect(try await other.book() == ["Kloudbook User"])
        #expect(try await one.requests()["totalCount"] == 0)
        #expect(try await other.requests()["totalCount"] == 0)
        let contact = try await one.parent.ask(Documents.contacts)["data.viewer.contacts.nodes.0"]
        #expect(contact["sharing"] == ["WORK"])
        #expect(contact["sharedWithViewer"] == ["SCHOOL"])
        _ = try await one.parent.perform(Documents.removeContact, ["id": contact["id"]])
      }
    }
  }

  @Test func `a request that is accepted, rejected and taken back at once comes to one end`() async throws {
    try await TestServer.run { server in
      var one = try await Household("Kloudbook User", on: server)
      var other = try await Household("Browning Duncan", on: server)
      for _ in 0..<20 {
        // The person who rejected can ask.
        swap(&one, &other)
        let request: Value = ["id": .string(try await one.request(other)), "share": []]
        let clients = [other.parent.another, other.parent.another, one.parent.another]
        async let accepted = clients[0].perform(Documents.acceptContact, request)
        async let rejected = clients[1].perform(Documents.rejectContact, request)
        async let cancelled = clients[2].perform(Documents.cancelRequest, request)
        let outcomes = try await [accepted, rejected, cancelled]
        #expect(outcomes.filter(\.userErrors.isEmpty).count == 1)
        let isContact = outcomes[0].userErrors.isEmpty
        #expect(try await one.book().count == (isContact ? 1 : 0))
        #expect(try await other.book().count == (isContact ? 1 : 0))
        guard isContact else { continue }
        _ = try await one.parent.perform(Documents.removeContact, ["id": contact(of: one)])
      }
    }
  }

  private func contact(of one: Household) async throws -> Value {
    try await one.parent.ask(Documents.contacts)["data.viewer.contacts.nodes.0.id"]
  }
}
