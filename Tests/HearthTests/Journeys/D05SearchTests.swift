import Storage
import Testing

@testable import Hearth

@Suite("D5: search")
struct D05SearchTests {
  @Test func `the address book's own examples`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      let browning = try await BrowningDuncan(on: server).household
      _ = try await browning.createGroup("Duncan Yo-Yo", hometown: "Amherst")
      #expect(try await user.search("Duncan") == ["Duncan Yo-Yo", "Browning Duncan"])
      #expect(try await user.search("Dunkin") == [])
      #expect(try await user.search("Amherst") == ["Duncan Yo-Yo", "Browning Duncan"])
      #expect(try await user.search("Duncan", ["PERSON"]) == ["Browning Duncan"])
      #expect(try await user.search("Duncan", ["GROUP"]) == ["Duncan Yo-Yo"])
      #expect(try await user.search("Duncan", ["GROUP", "PERSON"]).count == 2)
      #expect(try await user.search("Duncan", []) == [])
    }
  }

  private func register(_ people: [(String, Value)], on server: TestServer) async throws {
    for (index, (name, profile)) in people.enumerated() {
      let one = try await Household(on: server, email: "person\(index)@example.com", name: name)
      guard profile != .null else { continue }
      let outcome = try await one.parent.perform(Documents.updateProfile, ["input": profile])
      #expect(outcome.userErrors.isEmpty)
    }
  }

  @Test func `any word finds, the last one by its beginning, phrases as such, names first`() async throws {
    try await TestServer.run { server in
      try await register(
        [
          ("Émile Düpont", ["hometown": "Łódź", "company": "Good Will Semiconductors Inc."]),
          ("John Smith", ["hometown": "South Hadley", "highSchools": ["Hadley South High", "Weston"]]),
          ("Smith Johnson", ["currentCity": "Boston, MA"]),
          ("Anna Duncanson", ["colleges": ["University of Massachusetts - Amherst"]]),
          ("Hadley Brown", ["company": "South Smith & Sons"]),
          ("МАРИЯ Иванова", ["hometown": "Москва"]),
          ("李小龍", nil),
          ("한국", nil),
          ("Weston Boston", nil),
        ],
        on: server
      )
      let user = try await Household("Kloudbook User", on: server)
      let found: [(String, [String])] = [
        ("emile", ["Émile Düpont"]), ("EMILE dup", ["Émile Düpont"]), ("düp", ["Émile Düpont"]),
        ("lodz", ["Émile Düpont"]), ("łódź", ["Émile Düpont"]), ("will good", ["Émile Düpont"]),
        ("smith", ["John Smith", "Smith Johnson", "Hadley Brown"]), ("john smith", ["John Smith"]),
        ("smith john", ["John Smith", "Smith Johnson"]), ("\"smith john\"", []),
        ("\"john smith\"", ["John Smith"]), ("\"smith johnson\"", ["Smith Johnson"]),
        ("\"south hadley\"", ["John Smith"]), ("south hadley", ["Hadley Brown", "John Smith"].sorted()),
        ("\"university of massachusetts - amherst\"", ["Anna Duncanson"]), ("\"hadley weston\"", []),
        ("\"john\" hadl", ["John Smith"]), ("john \"smit\"", []), ("john \"smit", ["John Smith"]),
        ("duncan", ["Anna Duncanson"]), ("\"duncan\"", []), ("weston", ["Weston Boston", "John Smith"]),
        ("мария", ["МАРИЯ Иванова"]), ("моск", ["МАРИЯ Иванова"]), ("李", ["李小龍"]), ("\u{1112}\u{1161}\u{11AB}", ["한국"]),
        ("unca", []), ("johnx", []),
        ("", []), (" \" - ", []), ("n", []), ("ndün", []), ("ojohn", []),
      ]
      for (query, names) in found {
        let result = try await user.search(query)
        if query == "south hadley" { #expect(result.sorted() == names) } else { #expect(result == names, "\(query)") }
      }
    }
  }

  @Test func `words after the tenth are ignored, also those of a phrase`() async throws {
    try await TestServer.run { server in
      let profile: Value = [
        "currentCity": "w3 w4", "company": "w5 w6", "highSchools": ["w7 w8"], "colleges": ["w9 w10"],
      ]
      try await register([("w1 w2", profile)], on: server)
      let user = try await Household("Kloudbook User", on: server)
      let words = (1...10).map { "w\($0)" }
      func first(_ count: Int, then more: String = "") -> String { words.prefix(count).joined(separator: " ") + more }
      for query in [
        first(10), first(10, then: " nowhere"), first(10, then: " \"no where\""), first(8, then: " \"w9 w10 nowhere\""),
        first(9, then: " \"w10 nowhere\""),
      ] {
        #expect(try await user.search(query) == ["w1 w2"], "\(query)")
      }
      for query in [first(9, then: " nowhere w10"), first(8, then: " \"w10 w9 nowhere\""), "\"w9 w10 nowhere\""] {
        #expect(try await user.search(query) == [], "\(query)")
      }
    }
  }

  @Test(
    "nothing that is typed is the syntax of the index",
    arguments: [
      "*", "a*", "^a", "a AND b", "NOT a", "a OR b", "NEAR(a b)", "words:a", "{words}:a", "-words:a", "a + b", "(", ")",
      "'", "''", "a\"b\"c", "\"\"", "\"", "\\\"", "a; DROP TABLE person", "%", "_", "a\u{0}b", "+", "🧗🏽‍♀️", "\u{301}",
    ]
  )
  func syntax(query: String) async throws {
    try await TestServer.run(loops: 1) { server in
      let user = try await Household("Kloudbook User", on: server)
      let answer = try await user.parent.ask(Documents.search, ["query": .string(query)])
      #expect(answer["errors"] == .null)
      #expect(answer["data.search.nodes"] == [])
    }
  }

  @Test func `changes are found immediately, and people who have left are not found`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      let carole = try await Household("Carole Hendricks", on: server)
      _ = try await carole.parent.perform(Documents.updateProfile, ["input": ["hometown": "Amherst"]])
      let group = try await carole.createGroup("Amherst Choir", description: "We sing on Mondays")
      #expect(try await user.search("mondays") == ["Amherst Choir"])
      _ = try await carole.parent.perform(Documents.updateAccount, ["input": ["name": "Carole Copeland"]])
      _ = try await carole.parent.perform(Documents.updateProfile, ["input": ["hometown": "Boston"]])
      let input: Value = ["id": .string(group), "description": "We sing on Fridays"]
      _ = try await carole.parent.perform(Documents.updateGroup, ["input": input])
      #expect(try await user.search("hendricks") == [])
      #expect(try await user.search("copeland") == ["Carole Copeland"])
      #expect(try await user.search("amherst") == ["Amherst Choir"])
      #expect(try await user.search("boston") == ["Carole Copeland"])
      #expect(try await user.search("mondays") == [])
      #expect(try await user.search("fridays") == ["Amherst Choir"])
      try await user.join(group)
      _ = try await carole.parent.perform(Documents.deactivate, D11DeactivateTests.password)
      #expect(try await user.search("carole") == [])
      #expect(try await user.search("boston") == [])
      #expect(try await user.search("amherst") == ["Amherst Choir"])
    }
  }

  @Test func `private data is not searched`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      let browning = try await BrowningDuncan(on: server).household
      try await browning.befriend(user, sharing: ["WORK", "PERSONAL"])
      for query in ["8105042733", "Guider", "Wells", "browning.duncan@example.com", "example"] {
        #expect(try await user.search(query) == [], "\(query)")
      }
    }
  }

  @Test func `pages follow each other without a gap or a repetition, while others come`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      var people: [(String, Value)] = []
      for number in 0..<4 { people.append(("Duncan Person\(number)", ["hometown": "Duncan"])) }
      for number in 0..<3 { people.append(("Duncanson Person\(number)", nil)) }
      for number in 0..<3 { people.append(("Anna Person\(number)", ["hometown": "Duncan"])) }
      people.append(("Anna Last", ["hometown": "Duncanville"]))
      try await register(people, on: server)
      _ = try await user.createGroup("Duncan Yo-Yo")
      _ = try await user.createGroup("Yo-Yo", hometown: "Duncan")
      let all = try await user.search("duncan")
      #expect(all.count == 13)
      #expect(all.first == "Duncan Yo-Yo")
      #expect(all.last == "Anna Last")
      for size in [1, 2, 5] {
        var found: [String] = []
        var after: Value = nil
        repeat {
          let variables: Value = ["query": "duncan", "first": .number(Double(size)), "after": after]
          let page = try await user.parent.ask(Documents.search, variables)["data.search"]
          found += page["nodes"].each("name").compactMap(\.string)
          #expect(page["pageInfo.hasPreviousPage"] == .boolean(after != nil))
          after = page["pageInfo.hasNextPage"] == true ? page["pageInfo.endCursor"] : nil
          if size == 5 && found.count == 5 {
            _ = try await Household("Duncan Newcomer", on: server)
          }
        } while after != nil
        #expect(found.filter { $0 != "Duncan Newcomer" } == all)
      }
      let everyone = try await user.search("duncan")
      for size in [1, 2, 5, 50] {
        var found: [String] = []
        var before: Value = nil
        repeat {
          let variables: Value = ["query": "duncan", "last": .number(Double(size)), "before": before]
          let page = try await user.parent.ask(Documents.search, variables)["data.search"]
          found = page["nodes"].each("name").compactMap(\.string) + found
          #expect(page["pageInfo.hasNextPage"] == .boolean(before != nil))
          before = page["pageInfo.hasPreviousPage"] == true ? page["pageInfo.startCursor"] : nil
        } while before != nil
        #expect(found == everyone)
      }
      let wrong = try await user.parent.ask(Documents.search, ["query": "duncan", "after": "nonsense"])
      #expect(wrong["errors.0.extensions.code"] == "BAD_USER_INPUT")
    }
  }

  @Test func `a search is refined by name, city, company, school and kind`() async throws {
    try await TestServer.run { server in
      try await register(
        [
          ("Duncan One", ["hometown": "Amherst", "company": "Boston Bakery"]),
          ("Duncan Two", ["currentCity": "New Haven, CT", "highSchools": ["Amherst High", "Weston"]]),
          ("Duncan Three", ["currentCity": "Boston", "company": "Good Will Semiconductors Inc."]),
          ("Anna Four", ["hometown": "Boston", "colleges": ["University of Massachusetts - Amherst"]]),
          ("Boston Five", nil),
        ],
        on: server
      )
      let user = try await Household("Kloudbook User", on: server)
      _ = try await user.createGroup("Duncan Yo-Yo", description: "Boston", hometown: "Amherst")
      let found: [(String, Value, [String])] = [
        ("duncan", ["city": "Amherst"], ["Duncan Yo-Yo", "Duncan One"]),
        ("duncan", ["city": "amh"], ["Duncan Yo-Yo", "Duncan One"]),
        ("duncan", ["city": "new haven"], ["Duncan Two"]), ("duncan", ["city": "haven new"], ["Duncan Two"]),
        ("duncan", ["city": "\"haven new\""], []), ("duncan", ["city": "\"new haven\""], ["Duncan Two"]),
        ("duncan", ["company": "boston"], ["Duncan One"]), ("duncan", ["school": "amherst"], ["Duncan Two"]),
        ("dun", ["school": "weston high"], ["Duncan Two"]),
        ("dun", ["city": "boston", "company": "good will"], ["Duncan Three"]),
        ("duncan", ["city": "amherst", "company": "good"], []),
        ("amherst", ["city": "boston"], ["Anna Four"]), ("boston", ["city": "boston"], ["Duncan Three", "Anna Four"]),
        ("", ["city": "boston"], ["Duncan Three", "Anna Four"]),
        ("", ["school": "amherst"], ["Duncan Two", "Anna Four"]),
        ("", ["city": "Amherst"], ["Duncan Yo-Yo", "Duncan One"]),
        ("", ["city": " - ", "company": ""], []), ("", [:], []),
        ("duncan one", ["city": "", "school": nil], ["Duncan One"]),
        // By names only.
        ("boston", [:], ["Boston Five", "Duncan Yo-Yo", "Duncan One", "Duncan Three", "Anna Four"]),
        ("", ["name": "boston"], ["Boston Five"]), ("", ["name": "amherst"], []), ("", ["name": "unca"], []),
        ("", ["name": "dunc"], ["Duncan Yo-Yo", "Duncan One", "Duncan Two", "Duncan Three"]),
        ("", ["name": "\"duncan t\""], []), ("", ["name": "three dun"], ["Duncan Three"]),
        ("boston", ["name": "duncan"], ["Duncan Yo-Yo", "Duncan One", "Duncan Three"]),
        ("", ["name": "dun", "city": "new haven"], ["Duncan Two"]), ("", ["name": " - "], []),
      ]
      for (query, filter, names) in found {
        #expect(try await user.search(query, filter: filter) == names, "\(query) \(filter)")
      }
      #expect(try await user.search("duncan", ["GROUP"], filter: ["city": "amherst"]) == ["Duncan Yo-Yo"])
      #expect(try await user.search("duncan", ["GROUP"], filter: ["company": "boston"]) == [])
      #expect(try await user.search("", ["PERSON"], filter: ["name": "yo"]) == [])
      #expect(try await user.search("", ["GROUP"], filter: ["name": "yo dun"]) == ["Duncan Yo-Yo"])
      #expect(try await user.search("duncan", ["PERSON"], filter: ["city": "amherst"]) == ["Duncan One"])
      let long: Value = ["query": "a", "filter": ["city": .string(String(repeating: "a", count: 201))]]
      let answer = try await user.parent.ask(Documents.search, long)
      #expect(answer["errors.0.message"] == "`filter.city` can have at most 200 characters.")
      #expect(answer["errors.0.extensions.code"] == "BAD_USER_INPUT")
    }
  }

  @Test func `a change of the city is found at once`() async throws {
    try await TestServer.run { server in
      let carole = try await Household("Carole Hendricks", on: server)
      _ = try await carole.parent.perform(Documents.updateProfile, ["input": ["hometown": "Amherst"]])
      #expect(try await carole.search("", filter: ["city": "amherst"]) == ["Carole Hendricks"])
      _ = try await carole.parent.perform(Documents.updateProfile, ["input": ["hometown": "Boston"]])
      #expect(try await carole.search("", filter: ["city": "amherst"]) == [])
      #expect(try await carole.search("", filter: ["city": "boston"]) == ["Carole Hendricks"])
    }
  }

  @Test func `entries of an earlier version are renewed after the start`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      var people: [(String, Value)] = []
      for number in 0..<60 { people.append(("Duncan Person\(number)", ["hometown": "Amherst"])) }
      try await register(people, on: server)
      try await server.services.database.write { transaction in try transaction.run(Self.makeOld, ()) }
      #expect(try await user.search("", filter: ["city": "amherst"]) == [])
      let plain = try await user.parent.ask(Documents.search, ["query": "amherst"])
      #expect(plain["data.search.totalCount"] == 60)
      server.services[SearchIndex.renewal].start()
      while try await server.services.database.write({ transaction in
        try transaction.reader.first(of: SearchIndex.outdated, 1) { row in row.int64(0) }
      }) != nil {}
      let answer = try await user.parent.ask(Documents.search, ["query": "", "filter": ["city": "amherst"]])
      #expect(answer["data.search.totalCount"] == 60)
    }
  }

  /// Entries as they were before searches could be filtered.
  static let makeOld = SQL<Void>(
    "UPDATE search_entry SET version = 0, words = replace(words, ' s camherst', '') WHERE id > 0"
  )

  @Test func `there is an end to what can be asked`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      for variables: Value in [
        ["query": "a", "first": 51], ["query": "a", "first": -1],
        ["query": .string(String(repeating: "a ", count: 101))],
      ] {
        let answer = try await user.parent.ask(Documents.search, variables)
        #expect(answer["errors.0.extensions.code"] == "BAD_USER_INPUT")
      }
      #expect(try await user.parent.ask(Documents.search, ["query": "a", "first": 50])["errors"] == .null)
      func searches(_ count: Int) async throws -> Value {
        let fields = (0..<count).map { "s\($0): search(query: \"a\($0)\") { nodes { __typename } }" }
        return try await user.parent.ask("{ \(fields.joined(separator: " ")) }")
      }
      #expect(try await searches(10)["errors"] == .null)
      let tooMany = try await searches(11)
      #expect(tooMany["errors.0.extensions.code"] == "BAD_USER_INPUT")
      #expect(tooMany["errors.0.message"] == "An operation can search at most 10 times.")
    }
  }
}
