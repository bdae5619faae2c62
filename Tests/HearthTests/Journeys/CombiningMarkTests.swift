import Testing

@testable import Hearth

@Suite("Texts have at most 30 combining marks in a row")
struct CombiningMarkTests {
  /// Marks whose order changes when the text is normalized.
  private static func marked(_ count: Int) -> String {
    "e" + String((0..<count).map { $0.isMultiple(of: 2) ? "\u{301}" : "\u{327}" }.joined())
  }

  private static let tooMany = Value.string(marked(31))

  @Test func `they are counted in a row`() {
    #expect(!CombiningMarks.areTooMany(in: Self.marked(30)))
    #expect(CombiningMarks.areTooMany(in: Self.marked(31)))
    #expect(CombiningMarks.areTooMany(in: "Zoë" + Self.marked(31) + "n"))
    #expect(!CombiningMarks.areTooMany(in: String(repeating: Self.marked(30), count: 100)))
    #expect(!CombiningMarks.areTooMany(in: String(repeating: "é", count: 100)))
    #expect(!CombiningMarks.areTooMany(in: String(repeating: "한국어", count: 100)))
    #expect(!CombiningMarks.areTooMany(in: ""))
    #expect(InputForm.normalizedLine(Self.marked(31)) == "")
  }

  /// Without the limit, the longest of these takes minutes.
  @Test func `time is linear in the length`() {
    #expect(CombiningMarks.areTooMany(in: Self.marked(400_000)))
    #expect(InputForm.normalizedLine(Self.marked(400_000)) == "")
    #expect(VerifiedIdentity.line(Self.marked(4_000)) == nil)
    #expect(Period(.month, label: "2026-11" + Self.marked(400_000)) == nil)
  }

  @Test func `more are rejected in every text`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let group = Value.string(try await ada.createGroup("Choir"))
      func update(_ fields: Value) async throws -> [String] {
        let input: Value = ["id": group]
        return try await ada.parent.perform(Documents.updateGroup, ["input": input.merging(fields)]).userErrors
      }
      #expect(try await update(["description": .string(Self.marked(30))]) == [])
      #expect(try await update(["description": Self.tooMany]) == ["input.description INVALID"])
      #expect(try await update(["description": .string(Self.marked(15_000))]) == ["input.description INVALID"])
      #expect(try await update(["name": Self.tooMany]) == ["input.name INVALID"])
      let passwords: Value = ["old": .string(Household.password), "new": .string("passwords" + Self.marked(31))]
      let changed = try await ada.parent.perform(Documents.changePassword, passwords)
      #expect(changed.userErrors == ["newPassword INVALID"])
      let form = Household.form("new@example.com").setting("name", Self.tooMany)
        .setting("passwordConfirmation", .string(Self.marked(15_000)))
      let registered = try await server.visitor.perform(Documents.register, ["input": form])
      #expect(registered.userErrors == ["input.name INVALID", "input.passwordConfirmation MISMATCH"])
    }
  }

  @Test func `nothing is found by them`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server, name: "E")
      _ = try await ada.addChore("e")
      let queries: [(document: String, variables: Value)] = [
        (Documents.search, ["query": Self.tooMany]), (Documents.contacts, ["query": Self.tooMany]),
        (Documents.search, ["query": "", "filter": ["city": Self.tooMany]]),
      ]
      for (document, variables) in queries {
        let answer = try await ada.parent.ask(document, variables)
        #expect(answer["errors.0.extensions.code"] == "BAD_USER_INPUT", "\(document)")
      }
      let chores = "query ($query: String) { family { chores(filter: { query: $query }) { totalCount } } }"
      #expect(try await ada.parent.ask(chores, ["query": "é"])["data.family.chores.totalCount"] == 1)
      #expect(try await ada.parent.ask(chores, ["query": Self.tooMany])["data.family.chores.totalCount"] == 0)
    }
  }

  @Test func `such addresses of an address book are ignored`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let john = try await Household(on: server, email: "john@example.com", name: "John Smith")
      try await john.verifyEmail(on: server)
      let emails: Value = [.string(Self.marked(50_000)), Self.tooMany, "john@example.com"]
      let entry: Value = ["name": "John", "emails": emails, "phones": [.string(Self.marked(50_000))]]
      let outcome = try await ada.parent.perform(Documents.matchAddressBook, ["entries": [entry]])
      #expect(outcome.userErrors == [])
      #expect(outcome["matches.0.person.id"] == .string(john.personID))
    }
  }
}
