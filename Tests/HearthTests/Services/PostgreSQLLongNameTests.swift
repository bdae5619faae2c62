import Basics
import Foundation
import Storage
import TestSupport
import Testing

@testable import Hearth

/// A name can have 100 characters of many bytes each. An index of PostgreSQL takes no text of more than 2,704 bytes.
@Suite(
  "Long names in a PostgreSQL database",
  .enabled(if: PostgreSQLCluster.isInstalled, "Scripts/install-postgresql installs PostgreSQL."),
  .timeLimit(.minutes(5))
)
struct PostgreSQLLongNameTests {
  private static let letters = scalars([0x10D0...0x10E3])
  private static let marks = scalars([0x300...0x33F, 0x346...0x34E, 0x350...0x36E])

  private static func scalars(_ ranges: [ClosedRange<UInt32>]) -> [Unicode.Scalar] {
    ranges.flatMap { range in range.compactMap { Unicode.Scalar($0) } }
  }

  /// 90 Georgian letters with 18 marks each: 3,510 bytes, which keys keep, and which PostgreSQL cannot compress enough.
  private static func name(_ seed: UInt64) -> String {
    var generator = SeededGenerator(seed: seed)
    var name = String.UnicodeScalarView()
    for number in 0..<90 {
      name.append(letters[number % letters.count])
      for _ in 0..<18 { name.append(marks[Int.random(in: 0..<marks.count, using: &generator)]) }
    }
    return String(name).precomposedStringWithCanonicalMapping
  }

  private static let chores = """
    query ($query: String, $after: String) { family {
      chores(orderBy: NAME, first: 1, after: $after, filter: { query: $query }) {
        nodes { name } pageInfo { hasNextPage endCursor } } } }
    """

  @Test func `people, groups and chores can have them, and are listed and found by them`() async throws {
    try await TestServer.run(database: .postgresql) { server in
      let (ada, ben) = (try await Household(on: server), try await Household("Ben", on: server))
      try await ada.befriend(ben)
      let name = Self.name(1)
      let renamed = try await ada.parent.perform(Documents.updateAccount, ["input": ["firstName": .string(name)]])
      #expect(renamed["account.name"] == .string(name + " Lovelace"), "\(renamed)")
      #expect(try await ben.book(name) == [name + " Lovelace"])
      let group = Self.name(2)
      _ = try await ada.createGroup(group)
      #expect(try await ben.search(group) == [group])
      #expect(try await ben.search(Self.name(3)) == [])

      // Their keys are equal, so that they are in the order in which they were added.
      let names = [name + "b", name + "a"]
      for name in names { _ = try await ada.addChore(name) }
      var found: [String] = []
      var after: Value = nil
      repeat {
        let page = try await ada.parent.ask(Self.chores, ["query": .string(name), "after": after])["data.family.chores"]
        found += page["nodes"].each("name").compactMap(\.string)
        after = page["pageInfo.hasNextPage"] == true ? page["pageInfo.endCursor"] : nil
      } while after != nil && found.count < 10
      #expect(found == names)
    }
  }

  @Test func `a folder whose keys are as long as the names can be moved`() async throws {
    let folder = try TemporaryDirectory()
    try await TestServer.run(in: folder, database: .sqlite) { server in
      let ada = try await Household(on: server)
      _ = try await ada.addChore()
      _ = try await ada.createGroup("Chess")
    }
    // As an earlier version stored them.
    let name = Self.name(4)
    let database = try Database(path: DataDirectory.databasePath(in: folder.path), migrations: Migration.all)
    try await database.write { transaction in
      for statement in [
        "UPDATE chore SET name_key = '\(name)'", "UPDATE search_entry SET words = 'g\(name)' WHERE words = 'gchess'",
      ] { try transaction.statement(StatementText(statement)).run() }
    }
    await database.close()
    let cluster = try await PostgreSQLCluster.shared()
    let target = try await cluster.makeDatabase()
    let url = cluster.url(of: target)
    let moved = try await Program.run(
      "move",
      "--from",
      folder.path,
      "--to",
      url,
      environment: ["HEARTH_DATABASE_UNSAFE": "yes"]
    )
    #expect(moved.status == 0, "\(moved.errors)")
    #expect(try await Program.run("check", "--database", url).output == "The data is sound.\n")
    let lengths = try await cluster.execute(
      "SELECT max(octet_length(name_key)) BETWEEN 998 AND 1000, "
        + "(SELECT max(octet_length(word)) BETWEEN 199 AND 201 FROM search_word) FROM chore",
      in: target
    )
    #expect(lengths == "t|t\n")
  }
}
