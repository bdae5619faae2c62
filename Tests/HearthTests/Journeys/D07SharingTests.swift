import Testing

@testable import Hearth

@Suite("D7, D8: what a contact is shown changes, and a contact is removed")
struct D07SharingTests {
  @Test func `shared scopes can be read back, and the contact sees the change at once`() async throws {
    try await TestServer.run { server in
      let browning = try await BrowningDuncan(on: server)
      let john = try await Household("John Smith", on: server)
      let contact = Value.string(try await browning.household.befriend(john, sharing: ["WORK"]))
      let steps: [(Value, [String])] = [
        (["PERSONAL"], BrowningDuncan.personalDetails), ([], []), (["WORK", "WORK"], BrowningDuncan.workDetails),
        (["PERSONAL", "WORK"], BrowningDuncan.workDetails + BrowningDuncan.personalDetails),
      ]
      for (scopes, shown) in steps {
        let outcome = try await browning.household.parent.perform(
          Documents.setSharing,
          ["id": contact, "scopes": scopes]
        )
        #expect(Set(outcome["contact.sharing"].strings) == Set(scopes.strings))
        #expect(BrowningDuncan.shown(try await john.sees(browning.household)) == shown)
        let theirs = try await john.parent.ask(Documents.contacts)["data.viewer.contacts.nodes.0"]
        #expect(theirs["sharedWithViewer"] == outcome["contact.sharing"])
        #expect(theirs["sharing"] == [])
      }
    }
  }

  @Test func `a contact is shown further scopes a limited number of times, and fewer at any time`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      let contact = try await user.befriend(try await Household("John Smith", on: server))
      let other = try await user.befriend(try await Household("Emily Smith", on: server))
      func share(_ contact: String, _ scopes: Value) async throws -> Outcome {
        try await user.parent.perform(Documents.setSharing, ["id": .string(contact), "scopes": scopes])
      }
      let alternating: [Value] = [["WORK"], ["PERSONAL"]]
      for number in 0..<30 { #expect(try await share(contact, alternating[number % 2]).codes == []) }
      #expect(try await share(contact, ["WORK"]).codes == ["RATE_LIMITED"])
      #expect(try await share(contact, ["PERSONAL", "WORK"]).codes == ["RATE_LIMITED"])
      #expect(try await share(contact, ["PERSONAL"])["contact.sharing"] == ["PERSONAL"])
      #expect(try await share(contact, [])["contact.sharing"] == [])
      #expect(try await share(other, ["WORK"])["contact.sharing"] == ["WORK"])
      server.clock.advance(seconds: 600)
      #expect(try await share(contact, ["WORK"])["contact.sharing"] == ["WORK"])
    }
  }

  @Test func `all contacts together are shown further scopes a limited number of times`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      let contact = Value.string(try await user.befriend(try await Household("John Smith", on: server)))
      let other = Value.string(try await user.befriend(try await Household("Emily Smith", on: server)))
      let burst = try #require(LimitedAction.shareWithAnyone.limits.subject).burst
      let person = try #require(server.services.cipher.key(of: user.personID))
      let (caller, now) = (RateLimits.Caller(subject: .person(person)), server.clock.clock.now())
      #expect(server.services.rateLimits.take(.shareWithAnyone, count: burst - 1, by: caller, at: now) == nil)
      let shared = try await user.parent.perform(Documents.setSharing, ["id": contact, "scopes": ["WORK"]])
      #expect(shared["contact.sharing"] == ["WORK"])
      let rejected = try await user.parent.perform(Documents.setSharing, ["id": other, "scopes": ["WORK"]])
      #expect(rejected.codes == ["RATE_LIMITED"])
      let withdrawn = try await user.parent.perform(Documents.setSharing, ["id": contact, "scopes": []])
      #expect(withdrawn["contact.sharing"] == [])
    }
  }

  @Test func `a removed contact disappears on both sides, and the other is notified`() async throws {
    try await TestServer.run { server in
      let browning = try await BrowningDuncan(on: server)
      let user = try await Household("Kloudbook User", on: server)
      let carole = try await Household("Carole Hendricks", on: server)
      let contact = try await user.befriend(browning.household, sharing: ["WORK"], for: D04ContactDetailsTests.all)
      try await user.befriend(carole)
      let info = try await user.sees(browning.household)["contactInfo.0.id"]
      let removed = try await user.parent.perform(Documents.removeContact, ["id": .string(contact)])
      #expect(removed["removedId"] == .string(contact))
      #expect(try await user.book() == ["Carole Hendricks"])
      #expect(try await browning.household.book() == [])
      #expect(try await browning.household.news().first == "Kloudbook User is no longer in your address book.")
      #expect(try await user.sees(browning.household)["contactInfo"] == [])
      #expect(try await user.sees(browning.household)["relation"] == "NONE")
      let node = "query ($id: ID!) { node(id: $id) { id } }"
      #expect(try await user.parent.ask(node, ["id": info]) == ["data": ["node": nil]])
      #expect(try await user.parent.ask(node, ["id": .string(contact)]) == ["data": ["node": nil]])
      #expect(
        try await user.parent.perform(Documents.removeContact, ["id": .string(contact)]).userErrors == ["id NOT_FOUND"]
      )
    }
  }

  @Test func `a contact belongs to its owner: those of others look missing`() async throws {
    try await TestServer.run { server in
      let one = try await Household("Kloudbook User", on: server)
      let other = try await Household("Browning Duncan", on: server)
      let stranger = try await Household("Emily Smith", on: server)
      let contact = try await one.befriend(other, sharing: ["WORK"])
      let before = [try await one.contactBook(), try await other.contactBook()]
      for viewer in [other, stranger] {
        for id in [contact] + OtherFamiliesTests.nothing {
          let id = Value.string(id)
          let set = try await viewer.parent.perform(Documents.setSharing, ["id": id, "scopes": ["PERSONAL"]])
          #expect(set.userErrors == ["contactId NOT_FOUND"])
          #expect(try await viewer.parent.perform(Documents.removeContact, ["id": id]).userErrors == ["id NOT_FOUND"])
          let node = try await viewer.parent.ask("query ($id: ID!) { node(id: $id) { id } }", ["id": id])
          #expect(node == ["data": ["node": nil]])
        }
      }
      #expect(try await [one.contactBook(), other.contactBook()] == before)
    }
  }

  @Test func `when both remove each other at the same moment, one is notified`() async throws {
    try await TestServer.run { server in
      let one = try await Household("Kloudbook User", on: server)
      let other = try await Household("Browning Duncan", on: server)
      let contact = try await one.befriend(other)
      let theirs = try await other.parent.ask(Documents.contacts)["data.viewer.contacts.nodes.0.id"]
      let clients = [one.parent.another, other.parent.another]
      async let first = clients[0].perform(Documents.removeContact, ["id": .string(contact)])
      async let second = clients[1].perform(Documents.removeContact, ["id": theirs])
      let outcomes = try await [first, second]
      #expect(outcomes.map(\.userErrors).sorted { $0.count < $1.count } == [[], ["id NOT_FOUND"]])
      let received = try await (one.news() + other.news()).filter { $0.hasSuffix("is no longer in your address book.") }
      #expect(received.count == 1)
      #expect(try await one.book() + other.book() == [])
    }
  }

  @Test func `who leaves is in no book and no request any more`() async throws {
    try await TestServer.run { server in
      let browning = try await BrowningDuncan(on: server)
      let user = try await Household("Kloudbook User", on: server)
      let asked = try await Household("John Smith", on: server)
      let asking = try await Household("Emily Smith", on: server)
      try await browning.household.befriend(user, sharing: D04ContactDetailsTests.all)
      _ = try await browning.household.request(asked)
      _ = try await asking.request(browning.household)
      let info = try await user.sees(browning.household)["contactInfo.0.id"]
      _ = try await browning.household.parent.perform(
        Documents.deactivate,
        ["password": .string(Household.password)]
      )
      #expect(try await user.book() == [])
      #expect(try await asked.requests()["totalCount"] == 0)
      #expect(try await asking.requests("OUTGOING")["totalCount"] == 0)
      #expect(try await user.sees(browning.household) == .null)
      #expect(
        try await user.parent.ask("query ($id: ID!) { node(id: $id) { id } }", ["id": info])["data.node"] == .null
      )
    }
  }
}
