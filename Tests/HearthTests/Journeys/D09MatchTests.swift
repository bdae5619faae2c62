import Foundation
import Storage
import TestSupport
import Testing

@testable import Hearth

@Suite("D9: find people of an address book, and invite the others")
struct D09MatchTests {
  private static func entry(_ name: String, emails: [String] = [], phones: [String] = []) -> Value {
    ["name": .string(name), "emails": Value(emails), "phones": Value(phones)]
  }

  private func match(_ entries: [Value], _ user: Household) async throws -> [Value] {
    let outcome = try await user.parent.perform(Documents.matchAddressBook, ["entries": .array(entries)])
    #expect(outcome.userErrors.isEmpty)
    return outcome["matches"].list
  }

  @Test func `members are found by their address, and the rest can be invited`() async throws {
    try await TestServer.run { server in
      let user = try await Household(on: server, email: "kloudbookUser@gmail.com", name: "Kloudbook User")
      let john = try await Household(on: server, email: "john@gmail.com", name: "John Smith")
      let willis = try await Household(on: server, email: "jwillis@gmail.com", name: "John Willis")
      for household in [user, john, willis] { try await verify(household, server) }
      try await user.befriend(willis)
      let entries = [
        Self.entry("John Smith", emails: ["John@Gmail.com"]),
        Self.entry("Lisa Shoemaker", emails: ["lisa@gmail.com"]),
        Self.entry("John Willis", emails: ["nonsense", "jwillis@gmail.com"], phones: ["12"]),
        Self.entry("Myself", emails: ["kloudbookuser@gmail.com"]),
        Self.entry(""),
      ]
      var matches = try await match(entries, user)
      #expect(
        matches.map { $0["entry"].string ?? "" } == ["John Smith", "Lisa Shoemaker", "John Willis", "Myself", ""]
      )
      #expect(
        matches.map { $0["person.name"].string } == ["John Smith", nil, "John Willis", "Kloudbook User", nil]
      )
      #expect(matches.map { $0["relation"].string } == ["NONE", "NONE", "CONTACT", "SELF", "NONE"])

      let request: Value = ["id": matches[0]["person.id"], "offer": ["PERSONAL"]]
      #expect(try await user.parent.perform(Documents.requestContact, request).userErrors.isEmpty)
      let lisa: Value = ["email": "lisa@gmail.com", "offer": ["WORK"]]
      #expect(try await user.parent.perform(Documents.inviteContact, lisa).userErrors.isEmpty)
      matches = try await match(entries, user)
      #expect(matches.map { $0["relation"].string } == ["REQUEST_SENT", "NONE", "CONTACT", "SELF", "NONE"])
      #expect(matches.map { $0["invited"] } == [false, true, false, false, false])
      let byOther = try await match(entries, willis)
      #expect(byOther.map { $0["invited"] } == [false, false, false, false, false])
    }
  }

  @Test func `nobody is found by an unverified address`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      // Someone else enters Lisa's name and addresses, unverified.
      let impostor = try await Household(on: server, email: "lisa@gmail.com", name: "Lisa Shoemaker")
      try await impostor.addInfo("WORK", ["email": "lisa@work.example.com"])
      let entry = Self.entry("Lisa Shoemaker", emails: ["lisa@gmail.com", "lisa@work.example.com"])
      #expect(
        try await match([entry], user) == [
          ["entry": "Lisa Shoemaker", "invited": false, "relation": "NONE", "person": nil]
        ]
      )
      try await verify(impostor, server)
      #expect(try await match([entry], user)[0]["person.id"] == .string(impostor.personID))
      let work = Self.entry("Lisa Shoemaker", emails: ["lisa@work.example.com"])
      #expect(try await match([work], user)[0]["person"] == .null)
    }
  }

  @Test func `an unverified address finds nobody, not even by an invitation`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      let lisa = try await Household(on: server, email: "lisa@gmail.com", name: "Lisa Shoemaker")
      try await verify(lisa, server)
      try await server.services.database.write { transaction in
        try transaction.statement(
          StatementText("UPDATE account SET hides_email = 1 WHERE email_key = 'lisa@gmail.com'")
        ).run()
      }
      #expect(try await match([Self.entry("Lisa", emails: ["lisa@gmail.com"])], user)[0]["person"] == .null)
      let request = try await invite("lisa@gmail.com", by: user)["contactRequest"]
      #expect(request["invitedEmail"] == "lisa@gmail.com")
      #expect(request["to"] == .null)
      #expect(try await user.sees(lisa)["relation"] == "NONE")
      #expect(try await server.mails().contains { $0.to == "lisa@gmail.com" && $0.subject.contains("Kloudbook User") })
      #expect(try await invite("lisa@gmail.com", by: lisa).userErrors == ["email NOT_ALLOWED"])
    }
  }

  @Test func `a full address book does not prevent verification of an address`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      _ = try await invite("lisa@gmail.com", by: user)
      let lisa = try await Household(on: server, email: "lisa@gmail.com", name: "Lisa Shoemaker")
      let request = try await lisa.request(user)
      try await server.services.database.write { transaction in
        let fill = "UPDATE account SET contact_count = contact_count + 10000 WHERE email_key LIKE 'kloudbook%'"
        try transaction.statement(StatementText(fill)).run()
      }
      try await verify(lisa, server)
      #expect(try await lisa.requests("OUTGOING")["nodes"].each("id") == [.string(request)])
    }
  }

  @Test func `members are found by their phone numbers, however they are written`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      let browning = try await BrowningDuncan(on: server)
      let jane = try await Household("Jane Duncan", on: server)
      _ = try await jane.parent.perform(Documents.updateAccount, ["input": ["phone": "+1 879 556 3403"]])
      let john = try await Household("John Smith", on: server)
      _ = try await john.parent.perform(Documents.updateAccount, ["input": ["phone": "413.555.0100"]])
      let found = try await match(
        [
          Self.entry("Browning", phones: ["810-504-2733"]),
          Self.entry("Home of the Duncans", phones: ["(879) 556-3403"]),
          Self.entry("Browning Duncan", phones: ["879-5563403"]),
          Self.entry("John", phones: ["none", "001 413 555 0100", "+1 (413) 555-0100"]),
          Self.entry("Nobody", phones: ["+44 20 7946 0958"]),
        ],
        user
      )
      // Two have the same number: the name decides where it can.
      #expect(
        found.map { $0["person.name"].string } == [
          "Browning Duncan", "Jane Duncan", "Browning Duncan", "John Smith", nil,
        ]
      )
      _ = try await browning.household.parent.perform(
        Documents.deactivate,
        ["password": .string(Household.password)]
      )
      let later = try await match([Self.entry("Browning", phones: ["810-504-2733"])], user)
      #expect(later[0]["person"] == .null)
    }
  }

  @Test func `numbers without a country calling code are of the server's region`() async throws {
    try await TestServer.run(configure: { $0.phoneRegion = "GB" }) { server in
      let user = try await Household("Kloudbook User", on: server)
      let jane = try await Household("Jane Duncan", on: server)
      _ = try await jane.parent.perform(Documents.updateAccount, ["input": ["phone": "+44 20 7946 0958"]])
      let found = try await match([Self.entry("Jane", phones: ["020 7946 0958"])], user)
      #expect(found[0]["person.id"] == .string(jane.personID))
    }
  }

  @Test func `a number many times in one person's contact details leaves others with it in the result`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      let impostor = try await Household("John Smith", on: server)
      for _ in 0..<20 { try await impostor.addInfo("PERSONAL", ["phone": ["number": "+1 (810) 504-2733"]]) }
      _ = try await BrowningDuncan(on: server)
      let found = try await match([Self.entry("Browning Duncan", phones: ["810-504-2733"])], user)
      #expect(found.map { $0["person.name"].string } == ["Browning Duncan"])
    }
  }

  /// More than one statement returns: each number is looked up on its own then.
  @Test func `a number in thousands of contact details leaves others, and other numbers, in the result`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      let impostor = try await Household("John Smith", on: server)
      try await impostor.addInfo("PERSONAL", ["phone": ["number": "+1 (810) 504-2733"]])
      try await server.services.database.write { transaction in
        let copies = """
          INSERT INTO contact_info (person_id, scope, kind, id, is_primary, value, match_key) \
          WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 2000) \
          SELECT c.person_id, c.scope, c.kind, c.id + 1000000 + n.value, 0, c.value, c.match_key \
          FROM contact_info AS c CROSS JOIN n WHERE c.match_key IS NOT NULL
          """
        try transaction.statement(WrittenOnce.sql(copies)).run()
      }
      _ = try await BrowningDuncan(on: server)
      let jane = try await Household("Jane Duncan", on: server)
      _ = try await jane.parent.perform(Documents.updateAccount, ["input": ["phone": "413.555.0100"]])
      let entries = [
        Self.entry("Browning Duncan", phones: ["810-504-2733"]), Self.entry("Jane", phones: ["(413) 555-0100"]),
      ]
      let found = try await match(entries, user)
      #expect(found.map { $0["person.name"].string } == ["Browning Duncan", "Jane Duncan"])
    }
  }

  @Test func `numbers without a country's code are from where the viewer's own is`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      let jean = try await Household("Jean Dupont", on: server)
      try await jean.addInfo("PERSONAL", ["phone": ["number": "01 42 68 53 00", "countryCode": "33"]])
      let entry = Self.entry("Jean", phones: ["01 42 68 53 00"])
      #expect(try await match([entry], user)[0]["person"] == .null)
      _ = try await user.parent.perform(Documents.updateAccount, ["input": ["phone": "+33 6 12 34 56 78"]])
      #expect(try await match([entry], user)[0]["person.name"] == "Jean Dupont")
    }
  }

  @Test func `five thousand entries are accepted, and one more is rejected`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      try await verify(try await Household("John Smith", on: server), server)
      var entries = (1..<5_000).map { number in
        Self.entry("Person \(number)", emails: ["person\(number)@example.com"], phones: ["413 555 \(1_000 + number)"])
      }
      entries.append(Self.entry("John Smith", emails: ["john.smith@example.com"]))
      let document = """
        mutation ($entries: [AddressBookEntryInput!]!) { matchAddressBook(entries: $entries) {
          matches { person { name } } \(Documents.errors) } }
        """
      let outcome = try await user.parent.perform(document, ["entries": .array(entries)])
      #expect(outcome["matches"].list.count == 5_000)
      #expect(outcome["matches.4999.person.name"] == "John Smith")
      entries.append(Self.entry("One more"))
      let rejected = try await user.parent.perform(document, ["entries": .array(entries)])
      #expect(rejected.userErrorReasons == ["entries TOO_LONG"])
      #expect(rejected["matches"] == [])
      let many = Self.entry("Many", phones: Array(repeating: "1", count: 20_001))
      let long = Self.entry(String(repeating: "x", count: 201))
      let wrong = try await user.parent.perform(document, ["entries": [many, long]])
      #expect(wrong.userErrorReasons == ["entries TOO_LONG TOO_MANY_ADDRESSES", "entries.1.name TOO_LONG"])
    }
  }

  @Test(.enabled(if: IssuerProcess.isAvailable)) func `who hides their address is not found by it`() async throws {
    let issuer = try await IssuerProcess()
    try await TestServer.run(configure: issuer.configure) { server in
      let user = try await Household("Kloudbook User", on: server)
      for isHidden in [true, false] {
        let name = isHidden ? "hidden" : "shown"
        let token = try await issuer.token(["sub": .string(name), "email": "\(name)@example.com"])
        let joining = A03IdentityTests.input(token, "GOOGLE", ["hideEmail": .boolean(isHidden)])
        #expect(try await server.visitor.perform(Documents.signInWithIdentity, joining).userErrors == [])
      }
      let found = try await match(
        [Self.entry("Hidden", emails: ["hidden@example.com"]), Self.entry("Shown", emails: ["shown@example.com"])],
        user
      )
      #expect(found.map { $0["person.name"] } == [nil, "Ada Lovelace"])
    }
  }

  @Test func `nobody can try all possible addresses`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      let other = try await Household("Browning Duncan", on: server)
      let large: Value = ["entries": [Self.entry("Many", phones: Array(repeating: "1", count: 20_000))]]
      let small: Value = ["entries": [Self.entry("One", phones: ["1"])]]
      for _ in 0..<2 { #expect(try await user.parent.perform(Documents.matchAddressBook, large).codes == []) }
      for (entries, seconds) in [(small, 300), (large, 60_000)] as [(Value, Value)] {
        let answer = try await user.parent.post(Documents.matchAddressBook, entries)
        #expect(answer.isExecuted)
        #expect(answer.json["errors.0.extensions"] == ["code": "RATE_LIMITED", "retryAfter": seconds])
      }
      // Others are not held to it.
      #expect(try await other.parent.perform(Documents.matchAddressBook, large).codes == [])
      server.clock.advance(seconds: 300)
      #expect(try await user.parent.perform(Documents.matchAddressBook, small).codes == [])
      #expect(try await user.parent.perform(Documents.matchAddressBook, small).codes == ["RATE_LIMITED"])
    }
  }

  // MARK: Invitations

  private func invite(_ email: String, by user: Household, offering scopes: [String] = ["WORK"]) async throws -> Outcome
  {
    try await user.parent.perform(
      Documents.inviteContact,
      ["email": .string(email), "offer": Value(scopes), "message": "See you here."]
    )
  }

  private func verify(_ household: Household, _ server: TestServer) async throws {
    let token = try await server.mail(to: household.email, about: "Confirm").token
    let outcome = try await household.parent.perform(Documents.verifyEmail, ["token": .string(token)])
    #expect(outcome.userErrors.isEmpty)
  }

  @Test func `a mail is sent, and the request waits for who shows that the address is theirs`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      let invited = try await invite("Lisa@gmail.com", by: user)
      let request = invited["contactRequest"]
      #expect(request["invitedEmail"] == "Lisa@gmail.com")
      #expect(request["to"] == .null)
      #expect(request["offered"] == ["WORK"])
      let mail = try await server.mail(to: "Lisa@gmail.com", about: "Kloudbook User")
      #expect(mail.plain.contains("Kloudbook User would like to have you in their address book"))
      #expect(!mail.plain.contains("See you here."))
      #expect(try await invite("lisa@gmail.com", by: user)["contactRequest"] == request)
      #expect(try await server.mails().filter { $0.to.lowercased().contains("lisa") }.count == 1)
      #expect(try await user.requests("OUTGOING") == ["totalCount": 1, "nodes": [request]])

      // Registering with an address does not verify it.
      let lisa = try await Household(on: server, email: "lisa@gmail.com", name: "Lisa Shoemaker")
      #expect(try await lisa.requests()["totalCount"] == 0)
      #expect(try await lisa.news() == [])
      #expect(
        try await lisa.parent.perform(Documents.acceptContact, ["id": request["id"], "share": []]).userErrors
          == ["requestId NOT_FOUND"]
      )
      try await verify(lisa, server)
      let waiting = try await lisa.requests()
      #expect(waiting["totalCount"] == 1)
      #expect(waiting["nodes.0.id"] == request["id"])
      #expect(waiting["nodes.0.message"] == "See you here.")
      #expect(try await lisa.news() == ["Kloudbook User asks to become your contact."])
      let accepted = try await lisa.parent.perform(Documents.acceptContact, ["id": request["id"], "share": ["SCHOOL"]])
      #expect(accepted["contact.sharedWithViewer"] == ["WORK"])
      #expect(try await user.book() == ["Lisa Shoemaker"])
    }
  }

  @Test func `choosing a new password by mail shows it too`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      var lisa = try await Household(on: server, email: "lisa@gmail.com", name: "Lisa Shoemaker")
      _ = try await invite(lisa.email, by: user)
      #expect(try await lisa.requests()["totalCount"] == 0)
      _ = try await server.visitor.perform(Documents.requestReset, ["email": .string(lisa.email)])
      let token = try await server.mail(to: lisa.email, about: "new password").token
      let reset = try await server.visitor.perform(
        Documents.reset,
        ["token": .string(token), "new": .string(Household.password)]
      )
      let access: String = try #require(reset["credentials.accessToken"].string)
      lisa = Household(lisa, parent: lisa.parent.with(token: access))
      #expect(try await lisa.requests()["totalCount"] == 1)
    }
  }

  @Test func `inviting a registered address sends a request; crossing invitations are accepted`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      let lisa = try await Household("Lisa Shoemaker", on: server)
      // One's own address is one's own before it is verified too.
      #expect(try await invite("Lisa.Shoemaker@Example.com", by: lisa).userErrors == ["email NOT_ALLOWED"])
      try await verify(lisa, server)
      let asked = try await invite("LISA.shoemaker@example.com", by: user)
      #expect(asked["contactRequest.to.name"] == "Lisa Shoemaker")
      #expect(try await server.mails().filter { $0.subject.contains("contact") }.isEmpty)
      try await verify(user, server)
      let crossing = try await invite(user.email, by: lisa, offering: ["PERSONAL"])
      #expect(crossing["contact.sharing"] == ["PERSONAL"])
      #expect(try await invite(user.email, by: lisa).userErrors == ["email CONFLICT"])
      #expect(try await invite(lisa.email, by: lisa).userErrors == ["email NOT_ALLOWED"])
      #expect(try await invite("nonsense", by: lisa).userErrors == ["email INVALID"])
    }
  }

  @Test func `invitations of two who have not verified their addresses are agreed once they have`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      let lisa = try await Household("Lisa Shoemaker", on: server)
      _ = try await invite(lisa.email, by: user, offering: ["WORK"])
      _ = try await invite(user.email, by: lisa, offering: ["SCHOOL"])
      try await verify(lisa, server)
      #expect(try await lisa.requests()["totalCount"] == 1)
      #expect(try await lisa.book() == [])
      try await verify(user, server)
      #expect(try await lisa.book() == ["Kloudbook User"])
      let contact = try await user.parent.ask(Documents.contacts)["data.viewer.contacts.nodes.0"]
      #expect(contact["sharing"] == ["WORK"])
      #expect(contact["sharedWithViewer"] == ["SCHOOL"])
      for one in [user, lisa] {
        #expect(try await one.requests()["totalCount"] == 0)
        #expect(try await one.requests("OUTGOING")["totalCount"] == 0)
      }
    }
  }

  @Test func `a withdrawn invitation is not sent, and waits for nobody`() async throws {
    let directory = try TemporaryDirectory()
    // No mail leaves while a file has the folder's name.
    let outbox = directory.path + "/outbox"
    #expect(FileManager.default.createFile(atPath: outbox, contents: nil))
    try await TestServer.run(in: directory) { server in
      let user = try await Household("Kloudbook User", on: server)
      let request = try await invite("lisa@gmail.com", by: user)["contactRequest.id"]
      // A failed attempt is no longer being sent.
      await server.deliverMail()
      #expect(try await user.parent.perform(Documents.cancelRequest, ["id": request]).userErrors.isEmpty)
      try FileManager.default.removeItem(atPath: outbox)
      server.clock.advance(seconds: 3600)
      #expect(try await server.mails().filter { $0.to.contains("lisa") }.isEmpty)
      let lisa = try await Household(on: server, email: "lisa@gmail.com", name: "Lisa Shoemaker")
      try await verify(lisa, server)
      #expect(try await lisa.requests()["totalCount"] == 0)
    }
  }
}

extension Household {
  /// The same family in another session.
  init(_ other: Household, parent: Client) {
    email = other.email
    self.parent = parent
    refreshToken = other.refreshToken
    familyID = other.familyID
    accountID = other.accountID
    personID = other.personID
  }
}
