import Basics
import GraphQL
import PostgreSQL
import TestSupport
import Testing

@testable import Hearth
@testable import Storage

/// The search of both engines finds the same objects in the same order.
@Suite(
  "The search of both engines agrees",
  .enabled(if: PostgreSQLCluster.isInstalled, "Scripts/install-postgresql installs PostgreSQL.")
)
struct PostgreSQLSearchTests {
  private static let words = [
    "ann", "anna", "annabelle", "anton", "lee", "leeds", "leander", "o", "ox", "oxford", "duncan", "dunc",
    "browningham",
    "browninghouse", "ütz", "愛", "3", "42nd",
  ]

  private static func entries() -> [(id: Int64, words: String)] {
    var random = SeededGenerator(seed: 7)
    func text(_ count: ClosedRange<Int>) -> String {
      (0..<Int.random(in: count, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
        .joined(separator: " ")
    }
    return (1...400).map { number in
      let marks = number.isMultiple(of: 5) ? SearchWords.Marks.group : .person
      let others = [
        SearchWords.Other(text: text(0...2), filter: .city), SearchWords.Other(text: text(0...2), filter: .school),
      ]
      return (Int64(number), SearchWords.text(name: text(1...3), others: others, marks))
    }
  }

  private static func queries() -> [String] {
    var random = SeededGenerator(seed: 8)
    return (0..<150).map { _ in
      (0..<Int.random(in: 1...3, using: &random)).map { _ in
        let word = words.randomElement(using: &random) ?? ""
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return String(word.prefix(Int.random(in: 1...8, using: &random)))
        case 1: return "\"\(word) \(words.randomElement(using: &random) ?? "")\""
        default: return word
        }
      }.joined(separator: " ")
    }
  }

  private static let filters = [
    SearchFilter(), SearchFilter([(.city, SearchQuery("ann lee"))]),
    SearchFilter([(.city, SearchQuery("o")), (.school, SearchQuery("duncan"))]),
    SearchFilter([(.name, SearchQuery("ann"))]),
  ]

  private static func searches() -> [SearchPages.Search] {
    var searches: [SearchPages.Search] = []
    for query in ([""] + queries()).map(SearchQuery.init) {
      for (kind, filter) in SearchKind.allCases.flatMap({ kind in filters.map { (kind, $0) } }) {
        for tier in SearchQuery.Tier.allCases {
          guard let expression = query.expression(for: tier, marks: kind.marks, filter) else { continue }
          searches.append((expression: expression, position: 0, limit: 1000))
          searches.append((expression: expression, position: 150, limit: 7))
        }
      }
    }
    return searches
  }

  @Test func `a page that its first sections fill asks for no others`() async throws {
    try await TestServer.run(database: .postgresql, configure: { $0.requestTimes = .signedIn }) { server in
      let ada = try await Household(on: server)
      _ = try await Household(on: server, email: "adam@example.com", name: "Adam Smith")
      func statements(_ query: String) async throws -> Int {
        let body: Value = [
          "query": .string(#"{ search(query: "\#(query)", first: 1) { nodes { ... on Person { name } } } }"#),
          "extensions": ["trace": true],
        ]
        let answer = try await ada.parent.http.send(
          "POST",
          "/graphql",
          headers: [("Content-Type", "application/json"), ("Authorization", "Bearer \(ada.parent.token ?? "")")],
          body: Array(body.text.utf8)
        )
        #expect(answer.json["data.search.nodes.0.name"] == "Ada Lovelace", "\(answer.json)")
        let searches = answer.json["extensions.trace"]["statements"].list.filter {
          $0["statement"].string?.contains("search_index_matches") == true
        }
        return searches.reduce(0) { $0 + ($1["count"].int ?? 0) }
      }
      // Groups and people whose name begins so, each after those that are called so.
      #expect(try await statements("ad") == 4)
      // Groups and people of four qualities.
      #expect(try await statements("ada lovel") == 8)
    }
  }

  @Test func `expressions of all tiers have the same matches, before and after changes`() async throws {
    let directory = try TemporaryDirectory()
    let database = try Database(path: DataDirectory.databasePath(in: directory.path), migrations: Migration.all)
    let entries = Self.entries()
    try await database.write { transaction in
      for entry in entries {
        try transaction.run(SearchIndex.set, SearchEntry(id: GlobalID(rawValue: entry.id), words: entry.words))
      }
      // A change and a removal must leave nothing of the old words.
      try transaction.run(SearchIndex.set, SearchEntry(id: GlobalID(rawValue: 1), words: entries[1].words))
      try transaction.run(SearchIndex.delete, GlobalID(rawValue: 3))
    }
    let reader = try database.makeReader()
    let searches = Self.searches()
    let ours = try searches.map { search in
      try [SearchPages.find, SearchPages.findBackward].map { find -> [Int64] in
        // Each search has the budget for itself.
        defer { reader.endRead() }
        return try reader.all(of: find, search) { row in row.int64(0) }
      }
    }
    let totals = try Self.totals.map { expression in
      Set(try reader.all(of: SearchPages.all, expression) { $0.int64(0) })
    }
    reader.endRead()
    await database.close()

    let (theirs, theirTotals) = try await TestPostgreSQL.withSchema { connection in
      let insert = ServerStatement(SearchIndex.set.statement.postgreSQLText, types: [.int8, .text, .int8], slot: 0)
      func set(_ id: Int64, _ words: String) throws {
        try connection.run(insert, ParameterBuffer(id, words, SearchWords.version))
      }
      for entry in entries { try set(entry.id, entry.words) }
      try set(1, entries[1].words)
      try connection.run("DELETE FROM search_entry WHERE id = 3")
      let finds = [SearchPages.find, SearchPages.findBackward].enumerated().map { index, find in
        ServerStatement(find.statement.postgreSQLText, types: [.text, .int8, .int8], slot: 1 + index)
      }
      let theirs = try searches.map { search in
        try finds.map { find in
          let rows = try connection.run(find, ParameterBuffer(search.expression, search.position, search.limit))
          return (0..<rows.count).map { rows.int64($0, 0) }
        }
      }
      let all = ServerStatement(SearchPages.all.statement.postgreSQLText, types: [.text], slot: 3)
      let totals = try Self.totals.map { expression in
        let rows = try connection.run(all, ParameterBuffer(expression))
        return Set((0..<rows.count).map { rows.int64($0, 0) })
      }
      return (theirs, totals)
    }
    #expect(ours.count { !$0[0].isEmpty && !$0[1].isEmpty } > 200)
    for (search, (one, other)) in zip(searches, zip(ours, theirs)) where one != other {
      Issue.record("\(search): \(one), \(other)")
    }
    #expect(totals == theirTotals)
    #expect(totals.count { !$0.isEmpty } > 30)
  }

  private static let totals = queries().filter { !SearchQuery($0).isEmpty }.map { text in
    SearchKind.allCases.compactMap { SearchQuery(text).everything($0.marks) }.joined(separator: " OR ")
  }
}
