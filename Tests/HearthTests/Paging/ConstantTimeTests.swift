import GraphQL
import Storage
import TestSupport
import Testing

@testable import Hearth

/// The cost of a page depends on its content only, wherever it is in the list. It is measured not in time but in steps
/// of SQLite's machine: a reader is given few, and a statement that takes more is broken off.
@Suite("Long lists page in constant time")
struct ConstantTimeTests {
  private static let limits: DatabaseLimits = {
    var limits = DatabaseLimits()
    // A page of 50 takes some 500.
    limits.readSteps = 2_000
    // All rows are made in one write.
    limits.writeSteps = .max
    return limits
  }()
  private static let contacts = 5_000
  private static let notifications = 100_000

  static let copyContacts = SQL<(owner: GlobalID, first: Int64, count: Int)>(
    """
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(\.count)) \
    INSERT INTO contact (owner_id, id, person_id, name_key, sharing, since) \
    SELECT \(\.owner), i * 64 + 12, \(\.first) + i * 64, printf(' person %08d', i * 7919 % \(\.count)), 0, 0 FROM n
    """
  )
  static let copyPeople = SQL<(family: GlobalID, first: Int64, count: Int)>(
    """
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(\.count)) \
    INSERT INTO person (id, family_id, name, first_name, gender, theme, created_at) \
    SELECT \(\.first) + i * 64, \(\.family), 'Person', 'Person', 0, 0, 0 FROM n
    """
  )
  static let copyNotifications = SQL<(recipient: GlobalID, count: Int)>(
    """
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(\.count)) \
    INSERT INTO notification (recipient_id, id, created_at) SELECT \(\.recipient), i * 64 + 15, 0 FROM n
    """
  )

  /// Returns the person with the long lists.
  private func fill(_ database: Database) async throws -> GlobalID {
    try await database.write { transaction in
      let seeder = Seeder(transaction: transaction, now: 0)
      let family = try seeder.family("Lovelace family", timeZone: "UTC")
      let ada = try seeder.parent(
        in: family,
        .init(first: "Ada", last: "Lovelace", born: "1988-12-10", gender: .female),
        email: "ada@example.com",
        passwordHash: ""
      )
      let first: Int64 = 1_000 << 6 | Kind.person.rawValue
      try transaction.run(Self.copyPeople, (family: family, first: first, count: Self.contacts))
      try transaction.run(Self.copyContacts, (owner: ada, first: first, count: Self.contacts))
      try transaction.run(Self.copyNotifications, (recipient: ada, count: Self.notifications))
      return ada
    }
  }

  /// How many rows a page has. Each page has the budget for itself.
  private func rows<Filter>(
    _ reader: Reader,
    _ list: KeysetList<Filter>,
    _ filter: Filter,
    after cursor: Cursor? = nil,
    isBackward: Bool = false,
    limit: Int64 = 51
  ) throws -> Int {
    reader.endRead()
    let parameters = KeysetList<Filter>.PageParameters(filter: filter, limit: limit, position: KeysetPosition(cursor))
    var count = 0
    let statement =
      isBackward ? cursor == nil ? list.last : list.before : cursor == nil ? list.first : list.after
    try reader.forEachRow(of: statement, parameters) { _ in count += 1 }
    return count
  }

  @Test func `an address book of 5,000, and 100,000 notifications`() async throws {
    let directory = try TemporaryDirectory()
    let database = try Database(
      path: DataDirectory.databasePath(in: directory.path),
      migrations: Migration.all,
      limits: Self.limits
    )
    let ada = try await fill(database)
    let reader = try database.makeReader()
    let book: ContactPages.Filter = (owner: ada, name: try NameFilter(.none))
    #expect(try rows(reader, ContactPages.all, book) == 51)
    for (number, expected) in [(2_500, 51), (4_979, 20)] {
      let digits = String(number)
      let name = " person " + String(repeating: "0", count: 8 - digits.count) + digits
      let cursor = Cursor([], text: name, GlobalID(rawValue: .max))
      #expect(try rows(reader, ContactPages.all, book, after: cursor) == expected)
      #expect(try rows(reader, ContactPages.all, book, after: cursor, isBackward: true) == 51)
    }
    #expect(try rows(reader, ContactPages.all, book, isBackward: true) == 51)
    for list in [NotificationPages.all, NotificationPages.unread] {
      #expect(try rows(reader, list, ada) == 51)
      for (number, expected) in [(50_000 as Int64, 51), (21, 20)] {
        let cursor = Cursor([], GlobalID(rawValue: number * 64 + 15))
        #expect(try rows(reader, list, ada, after: cursor) == expected)
        #expect(try rows(reader, list, ada, after: cursor, isBackward: true) == 51)
      }
      #expect(try rows(reader, list, ada, isBackward: true) == 51)
    }
    reader.endRead()
    #expect(try reader.first(of: ContactPages.all.count, book) { row in row.int64(0) } == Int64(Self.contacts))
    for list in [NotificationPages.all, NotificationPages.unread] {
      reader.endRead()
      #expect(try reader.first(of: list.count, ada) { row in row.int64(0) } == Int64(Self.notifications))
    }
    // Verifies that there is a budget: the entire list exceeds it.
    #expect(throws: DatabaseError.self) {
      _ = try rows(reader, NotificationPages.all, ada, limit: .max)
    }
    await database.close()
  }
}
