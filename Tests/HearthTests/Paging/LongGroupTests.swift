import GraphQL
import Logging
import Storage
import TestSupport
import Testing

@testable import Hearth

@Suite("Long lists of members, and searches in many people")
struct LongGroupTests {
  /// A server over the data that `hearth seed` makes, and its first person's app.
  private func run(people: Int, _ body: (TestServer, Client) async throws -> Void) async throws {
    let directory = try TemporaryDirectory()
    try await SeededPeople.add(people, to: directory)
    try await TestServer.run(in: directory) { server in
      let input = A02SignInTests.input("person1@example.com", BenchmarkData.password)
      let token = try await server.visitor.perform(Documents.signIn, input)["credentials.accessToken"].string
      try await body(server, server.visitor.with(token: token))
    }
  }

  @Test func `a group of 1,263 is listed page by page, in order and whole`() async throws {
    try await run(people: 1_263) { _, client in
      let group = try await client.ask(
        "{ viewer { ... on Account { groups { nodes { id memberCount } } contacts { totalCount } } } }"
      )["data.viewer"]
      #expect(group["contacts.totalCount"] == 1_262)
      let first = try #require(
        group["groups.nodes"].list.max { ($0["memberCount"].int ?? 0) < ($1["memberCount"].int ?? 0) }
      )
      #expect(first["memberCount"] == 1_263)
      var names: [String] = []
      var after: Value = nil
      repeat {
        let variables: Value = ["id": first["id"], "first": 100, "after": after]
        let page = try await client.ask(Documents.members, variables)["data.node.members"]
        #expect(page["totalCount"] == 1_263)
        names += page["nodes"].each("person.name").compactMap(\.string)
        after = page["pageInfo.hasNextPage"] == true ? page["pageInfo.endCursor"] : nil
      } while after != nil
      #expect(names.count == 1_263)
      let keys = names.map(NameOrder.key)
      #expect(zip(keys, keys.dropFirst()).allSatisfy { !$1.utf8.lexicographicallyPrecedes($0.utf8) })
    }
  }

  static let copyPeople = SQL<(family: GlobalID, first: Int64, count: Int)>(
    """
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(\.count)) \
    INSERT INTO person (id, family_id, name, first_name, gender, theme, created_at) \
    SELECT \(\.first) + i * 64, \(\.family), 'Person', 'Person', 0, 0, 0 FROM n
    """
  )
  static let copyMembers = SQL<(group: GlobalID, first: Int64, count: Int, start: Int)>(
    """
    WITH RECURSIVE n (i) AS (SELECT \(\.start) + 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(\.start) + 20000) \
    INSERT INTO group_member (group_id, person_id, id, role, name_key, joined_at) \
    SELECT \(\.group), \(\.first) + i * 64, \(\.first) + i * 64, \(GroupRole.member), \
    printf(' person %08d', i * 7919 % \(\.count)), i FROM n
    """
  )

  static let members = SQL<Void>("SELECT count(*) FROM (SELECT 1 FROM group_member LIMIT 1)")
  static let endedGroups = SQL<Void>("SELECT count(*) FROM ended_group")

  /// The cost is measured not in time but in steps of SQLite's machine: a reader that exceeds its budget fails.
  @Test func `a page of a group of 100,000 costs only its content, and leaving and deleting it take one write`()
    async throws
  {
    let directory = try TemporaryDirectory()
    var limits = DatabaseLimits()
    limits.readSteps = 2_000
    let path = DataDirectory.databasePath(in: directory.path)
    let database = try Database(path: path, migrations: Migration.all, limits: limits)
    let (ada, group) = try await database.write { transaction in
      let seeder = Seeder(transaction: transaction, now: 0)
      let family = try seeder.family("Lovelace family", timeZone: "UTC")
      let adult = Seeder.Adult(first: "Ada", last: "Lovelace", born: "1988-12-10", gender: .female)
      let ada = try seeder.parent(in: family, adult, email: "ada@example.com", passwordHash: "")
      let content = PersonGroup.Content(name: "All", description: nil, hometown: nil, sharing: Scopes(bits: 0))
      let group = try seeder.group(content, of: ada, members: [])
      let first: Int64 = 1_000 << 6 | Kind.person.rawValue
      try transaction.run(Self.copyPeople, (family: family, first: first, count: 100_000))
      return (ada, group)
    }
    // The maximum for one write.
    for start in stride(from: 0, to: 100_000, by: 20_000) {
      try await database.write { transaction in
        let first: Int64 = 1_000 << 6 | Kind.person.rawValue
        try transaction.run(Self.copyMembers, (group: group, first: first, count: 100_000, start: start))
      }
    }
    let reader = try database.makeReader()
    let everyone = try NameFilter(.none)
    for (number, expected) in [(nil, 51), (50_000, 51), (99_979, 20)] as [(Int?, Int)] {
      // Each has the budget for itself.
      reader.endRead()
      let cursor = number.map { number in
        let name = " person " + String(repeating: "0", count: 8 - String(number).count) + String(number)
        return Cursor([], text: name, GlobalID(rawValue: .max))
      }
      let list = GroupMemberPages.all
      let parameters = KeysetList<GroupMemberPages.Filter>.PageParameters(
        filter: (group: group, viewer: ada, name: everyone),
        limit: 51,
        position: KeysetPosition(cursor)
      )
      var count = 0
      try reader.forEachRow(of: cursor == nil ? list.first : list.after, parameters) { _ in count += 1 }
      #expect(count == expected)
    }
    reader.endRead()
    let count: Int64? = try await database.write { transaction in
      try Membership.remove(ada, from: group, in: DatedWrite(at: Timestamp(0), in: transaction))
      let member = GlobalID(rawValue: 1_001 << 6 | Kind.person.rawValue)
      let filter: GroupMemberPages.Filter = (group: group, viewer: member, name: everyone)
      return try transaction.reader.first(of: GroupMemberPages.all.count, filter) { row in row.int64(0) }
    }
    #expect(count == 100_000)
    try await database.write { transaction in try PersonGroup.delete(group, in: transaction) }
    let work = WorkEnvironment(
      leases: Leases(),
      database: database,
      clock: TestClock().clock,
      log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    )
    let sweeper = Sweeper(Feature.all.flatMap(\.sweeps), in: work)
    sweeper.start()
    for statement in [Self.members, Self.endedGroups] {
      var isSwept = false
      while !isSwept {
        isSwept = try await database.write { transaction in
          try transaction.reader.first(of: statement, ()) { row in row.int64(0) } == 0
        }
      }
    }
    await sweeper.stop()
    await database.close()
  }

  @Test func `a search stops at its page, and counts no further than a thousand`() async throws {
    try await run(people: 1_500) { _, client in
      // Most people have a town or school with an o or an s.
      let answer = try await client.ask(Documents.search, ["query": "high", "first": 50])["data.search"]
      #expect(answer["nodes"].list.count == 50)
      #expect(answer["pageInfo.hasNextPage"] == true)
      let everyone = try await client.ask(
        "{ a: search(query: \"a\") { totalCount } s: search(query: \"s\") { totalCount } }"
      )
      #expect(everyone["data.a.totalCount"].int ?? 0 > 100)
      #expect(everyone["data.s.totalCount"].int == 1_000)
    }
  }
}
