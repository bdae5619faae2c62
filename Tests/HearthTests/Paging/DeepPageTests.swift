import Storage
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

  /// Walks to the end of the list and gives the steps of the first page, the second and the last: those of finding its
  /// chores and of reading them.
  private func steps(
    _ reader: Reader,
    _ family: GlobalID,
    first: SQL<Positional>,
    after: SQL<Positional>,
    bind: (Statement, [Int64]) throws -> Void
  ) throws -> (first: Int, second: Int, last: Int, rows: Int) {
    var costs: [Int] = []
    var rows = 0
    var place: [Int64]?
    while true {
      let statement = try reader.statement(place == nil ? first : after)
      try statement.bind(1, family.rawValue)
      try statement.bind(3, Self.pageLength)
      if let place { try bind(statement, place) }
      _ = statement.takeSteps()
      var found: [[Int64]] = []
      try statement.forEachRow { row in found.append([row.int64(1), row.int64(2), row.int64(0)]) }
      guard let last = found.last else { break }
      let loading = LoaderParameters(
        keys: found.map { $0[2] },
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
      place = last
    }
    return (costs[0], costs[1], costs[costs.count - 1], rows)
  }

  @Test func `within one priority, and among those without a due time`() async throws {
    try await withFamily { reader, family in
      let byPriority: (Statement, [Int64]) throws -> Void = { statement, place in
        for (offset, value) in place.enumerated() { try statement.bind(4 + offset, value) }
      }
      let lists: [(String, SQL<Positional>, SQL<Positional>, (Statement, [Int64]) throws -> Void)] = [
        ("family", ChorePages.ofFamily, ChorePages.ofFamilyAfter, byPriority),
        ("filtered", ChoreListStatements.priority, ChoreListStatements.priorityAfter, byPriority),
        (
          "due", ChoreListStatements.due, ChoreListStatements.dueAfter,
          { statement, place in
            try statement.bind(4, place[0])
            try statement.bind(6, place[2])
          }
        ),
      ]
      for (name, first, after, bind) in lists {
        let cost = try steps(reader, family, first: first, after: after, bind: bind)
        #expect(cost.rows == Self.count, "\(name)")
        #expect(cost.last <= cost.second, "\(name): \(cost)")
        #expect(Double(cost.last) <= 1.5 * Double(cost.first), "\(name): \(cost)")
      }
    }
  }
}
