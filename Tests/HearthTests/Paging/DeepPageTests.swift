import GraphQL
import Storage
import TestSupport
import Testing

@testable import Hearth

/// Counted in steps of SQLite's virtual machine, which are the same on every machine.
@Suite("A page far down a list costs what the first does")
struct DeepPageTests {
  private static let count = 10_000
  private static let pageLength: Int64 = 50

  /// A family with chores that are all alike, so that nothing but the key orders them.
  private func withFamily(_ body: @escaping @Sendable (Reader, GlobalID) throws -> Void) async throws {
    let directory = try TemporaryDirectory()
    let database = try Database(path: DataDirectory.databasePath(in: directory.path), migrations: Migration.all)
    let family = try await database.write { transaction in
      let seeder = Seeder(transaction: transaction, now: 1_795_248_000_000)
      let family = try seeder.family("Lovelace family", timeZone: "UTC")
      let parent = try seeder.parent(
        in: family,
        .init(first: "Ada", last: "Lovelace", born: "1988-12-10", gender: .female),
        email: "ada@example.com",
        passwordHash: ""
      )
      let task = Seeder.Task(name: "Feed the cat", notes: nil, priority: 5, dueAt: nil, frequency: .once)
      for _ in 0..<Self.count { _ = try seeder.chore(in: family, task, for: [parent], by: parent) }
      return family
    }
    let reader = try database.makeReader()
    try body(reader, family)
    reader.endRead()
    await database.close()
  }

  /// Reads all pages of the list and returns the steps of the first page, the second and the last: those for finding
  /// its chores and those for reading them.
  private func steps<Filter>(
    _ reader: Reader,
    _ family: GlobalID,
    _ list: KeysetList<Filter>,
    _ filter: Filter
  ) throws -> (first: Int, second: Int, last: Int, rows: Int) {
    var costs: [Int] = []
    var rows = 0
    var cursor: Cursor?
    while true {
      let parameters = KeysetList<Filter>.PageParameters(
        filter: filter,
        limit: Self.pageLength,
        position: KeysetPosition(cursor)
      )
      let statement = try reader.statement(cursor == nil ? list.first : list.after, parameters)
      _ = statement.takeSteps()
      var found: [Cursor] = []
      try statement.forEachRow { row in
        found.append(list.order.cursor(of: row, GlobalID(rawValue: row.int64(0))))
      }
      guard let last = found.last else { break }
      let loading = LoaderParameters(
        keys: found.map(\.key.rawValue),
        key: 0,
        lowest: 0,
        highest: 0,
        family: family,
        viewer: family,
        now: Timestamp(0),
        filter: nil
      )
      let reading = try reader.statement(ChoreType.byKey.sql, loading)
      _ = reading.takeSteps()
      try reading.forEachRow { _ in }
      costs.append(statement.takeSteps() + reading.takeSteps())
      rows += found.count
      cursor = last
    }
    return (costs[0], costs[1], costs[costs.count - 1], rows)
  }

  @Test func `within one priority, and among those without a due time`() async throws {
    try await withFamily { reader, family in
      let cipher = try #require(IdentifierCipher(secret: Array(0..<16)))
      let everything = ChoreListQuery(.none, cipher: cipher)
      for (name, cost) in [
        ("family", try steps(reader, family, ChorePages.ofFamily, family)),
        ("filtered", try steps(reader, family, ChoreLists.priority, (family: family, query: everything))),
        ("due", try steps(reader, family, ChoreLists.due, (family: family, query: everything))),
      ] {
        #expect(cost.rows == Self.count, "\(name)")
        #expect(cost.last <= cost.second, "\(name): \(cost)")
        #expect(Double(cost.last) <= 1.5 * Double(cost.first), "\(name): \(cost)")
      }
    }
  }
}
