import Testing

@testable import Hearth

@Suite("D3: the address book in the order of names")
struct D03AddressBookTests {
  static let names = [
    "Aguirre Gillespie", "Armstrong Raymond", "Browning Duncan", "Carole Hendricks", "Davenport Copeland",
    "Earnestine Chan", "Janna Duran",
  ]

  private func befriend(_ names: [String], _ user: Household, on server: TestServer) async throws -> [String: String] {
    var contacts: [String: String] = [:]
    for (index, name) in names.enumerated() {
      let other = try await Household(on: server, email: "person\(index)@example.com", name: name)
      contacts[name] = try await user.befriend(other)
    }
    return contacts
  }

  @Test func `contacts are sorted by name, with picture and name`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      #expect(try await user.book() == [])
      _ = try await befriend(["Browning Duncan", "Aguirre Gillespie", "Armstrong Raymond"], user, on: server)
      #expect(try await user.book() == ["Aguirre Gillespie", "Armstrong Raymond", "Browning Duncan"])
      let pictures = try await user.parent.ask(
        "{ viewer { ... on Account { contacts { nodes { person { name avatar { url placeholder } } } } } } }"
      )
      #expect(pictures["data.viewer.contacts.nodes.0.person.avatar.placeholder"] == true)
    }
  }

  @Test func `a filter finds the start of any word of a name`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      _ = try await befriend(
        Self.names.reversed() + [
          "Łukasz O'Brien", "Émile Jean-Düpont", "МАРИЯ Иванова", "Ana de la Cruz", "한국", "がまん",
        ],
        user,
        on: server
      )
      let found: [String: [String]] = [
        "du": ["Browning Duncan", "Émile Jean-Düpont", "Janna Duran"],
        "DU": ["Browning Duncan", "Émile Jean-Düpont", "Janna Duran"],
        "dür": ["Janna Duran"],
        "duran janna": ["Janna Duran"],
        "uran": [],
        "dunkin": [],
        "br": ["Browning Duncan", "Łukasz O'Brien"],
        "lu": ["Łukasz O'Brien"],
        "o'b": ["Łukasz O'Brien"],
        "emile": ["Émile Jean-Düpont"],
        "мария": ["МАРИЯ Иванова"],
        "d l c": ["Ana de la Cruz"],
        // Decomposed, as text that was copied from the name of a file can be.
        "\u{1112}\u{1161}\u{11AB}": ["한국"],
        "\u{304B}\u{3099}": ["がまん"],
        "%": Self.names,
        " ": Self.names,
      ]
      for (query, names) in found {
        let book = try await user.book(query)
        if names == Self.names { #expect(book.count == 13, "\(query)") } else { #expect(book == names, "\(query)") }
      }
    }
  }

  @Test func `each of the first six words of a filter must match`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      let name = "Ivan Juan Carlos Lopez"
      _ = try await befriend([name], user, on: server)
      #expect(try await user.book("ivan juan carlos lopez") == [name])
      for query in ["ivan juan carlos zzzz", "ivan juan carlos lopez i zzzz"] {
        #expect(try await user.book(query) == [], "\(query)")
      }
      #expect(try await user.book("ivan juan carlos lopez i j zzzz") == [name])
    }
  }

  @Test func `letters of all alphabets are sorted as people expect`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      let names = [
        "2Pac Shakur", "Ąnna Nowak", "Anna Nowakowska", "anna zet", "Ørsted", "Øystein", "Resume", "Résumé", "Zoë",
        "Ωmega", "Анна", "محمد", "李小龍",
      ]
      _ = try await befriend(names.shuffled(), user, on: server)
      #expect(try await user.book() == names)
    }
  }

  @Test func `pages follow each other without a gap, while others come and go`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      let contacts = try await befriend(Self.names, user, on: server)
      var found: [String] = []
      var after: Value = nil
      repeat {
        let answer = try await user.parent.ask(Documents.contacts, ["first": 2, "after": after])
        let page = answer["data.viewer.contacts"]
        found += page["nodes"].each("person.name").compactMap(\.string)
        #expect(page["pageInfo.hasPreviousPage"] == .boolean(after != nil))
        after = page["pageInfo.hasNextPage"] == true ? page["pageInfo.endCursor"] : nil
        if found.count == 2 {
          // The contact at the cursor is removed.
          let id = Value.string(try #require(contacts["Armstrong Raymond"]))
          _ = try await user.parent.perform(Documents.removeContact, ["id": id])
        }
      } while after != nil
      #expect(found == Self.names)
      let wrong = try await user.parent.ask(Documents.contacts, ["after": "nonsense"])
      #expect(wrong["errors.0.extensions.code"] == "BAD_USER_INPUT")
      #expect(
        try await user.parent.ask(Documents.contacts, ["first": 101])["errors.0.extensions.code"] == "BAD_USER_INPUT"
      )
    }
  }

  @Test func `who changes their name moves in every book`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      let carole = try await Household("Carole Hendricks", on: server)
      let aguirre = try await Household("Aguirre Gillespie", on: server)
      try await user.befriend(carole)
      try await user.befriend(aguirre)
      _ = try await carole.parent.perform(Documents.updateAccount, ["input": ["name": "Aaron Hendricks"]])
      #expect(try await user.book() == ["Aaron Hendricks", "Aguirre Gillespie"])
      #expect(try await user.book("carole") == [])
    }
  }

  @Test func `two of the same name are two contacts`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      for index in 0..<3 {
        let twin = try await Household(on: server, email: "twin\(index)@example.com", name: "Browning Duncan")
        try await user.befriend(twin)
      }
      #expect(try await user.book() == Array(repeating: "Browning Duncan", count: 3))
      let first = try await user.parent.ask(Documents.contacts, ["first": 2])["data.viewer.contacts"]
      let rest = try await user.parent.ask(Documents.contacts, ["first": 2, "after": first["pageInfo.endCursor"]])
      let ids = first["nodes"].each("id") + rest["data.viewer.contacts.nodes"].each("id")
      #expect(Set(ids).count == 3)
    }
  }
}
