import Testing

@testable import Hearth

@Suite("Names have no characters that reorder or hide text")
struct InvisibleCharacterTests {
  static let rejected = [
    // Bidirectional embeddings, overrides and isolates.
    "\u{202A}", "\u{202B}", "\u{202C}", "\u{202D}", "\u{202E}", "\u{2066}", "\u{2067}", "\u{2068}", "\u{2069}",
    // Soft hyphen, zero width space, word joiner, invisible operators, byte order mark, annotation anchors.
    "\u{AD}", "\u{200B}", "\u{2060}", "\u{2063}", "\u{FEFF}", "\u{206A}",
    // Other line ends.
    "\u{2028}", "\u{2029}", "\u{85}",
    // Tags, which spell hidden ASCII.
    "\u{E0001}", "\u{E0041}", "\u{E007F}",
  ]

  @Test func `they are rejected in every name`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      for character in Self.rejected {
        let text = Value.string("Mia\(character)aiM")
        let comment = Comment(rawValue: text.string.debugDescription)
        let form = Household.form("new@example.com").setting("name", text)
        let registered = try await server.visitor.perform(Documents.register, ["input": form])
        #expect(registered.userErrors == ["input.name INVALID"], comment)
        let signedIn = try await server.visitor.perform(
          Documents.signIn,
          ["input": A02SignInTests.input(ada.email, Household.password)["input"].setting("device", text)]
        )
        #expect(signedIn.userErrors == ["input.device INVALID"], comment)
        let input: Value = ["name": text]
        for (document, input) in [
          (Documents.addChild, input.setting("birth", ["age": 8])),
          (Documents.addChore, input), (Documents.addItem, input), (Documents.createGroup, input),
          (Documents.updateFamily, input), (Documents.updateAccount, input),
        ] {
          let outcome = try await ada.parent.perform(document, ["input": input])
          #expect(outcome.userErrors == ["input.name INVALID"], "\(document) \(text)")
        }
      }
    }
  }

  /// Persian, Hindi and emoji need joiners. Hebrew and Arabic keyboards type marks that state only a direction.
  /// Scotland's flag consists of tags.
  static let taken = [
    "علی\u{200C}رضا", "क्\u{200D}ष", "👩‍👩‍👧‍👦", "מרים\u{200F}", "Mia\u{200E}", "\u{600}٣",
    "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}",
  ]

  @Test(arguments: taken) func `what a script or an emoji needs is taken`(name: String) async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let outcome = try await ada.parent.perform(
        Documents.addChild,
        ["input": ["name": .string(name), "birth": ["age": 8]]]
      )
      #expect(outcome["child.name"].string.map { Array($0.unicodeScalars) } == Array(name.unicodeScalars))
    }
  }

  @Test func `what a provider says of a name is cleaned of them`() {
    #expect(VerifiedIdentity.line("Ada\u{202E} Love\u{200B}lace\u{7}") == "Ada Lovelace")
    #expect(VerifiedIdentity.line("\u{202E}") == nil)
    #expect(VerifiedIdentity.line("علی\u{200C}رضا") == "علی\u{200C}رضا")
  }

  @Test func `text of several lines may have them`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let input: Value = ["name": "Sing", "notes": "\u{2067}שלום\u{2069}\nand hello"]
      #expect(try await ada.parent.perform(Documents.addChore, ["input": input]).userErrors == [])
    }
  }
}
