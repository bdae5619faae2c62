import Storage
import Testing

@testable import Hearth

/// A page costs what is on it, wherever it lies. What is counted is not time but the steps of SQLite's machine: a
/// reader is given few, and a statement that takes more is broken off.
@Suite("Long lists page in constant time")
struct ConstantTimeTests {
  private static let limits: DatabaseLimits = {
    var limits = DatabaseLimits()
    // A page of 50 takes some 500.
    limits.readSteps = 2_000
    return limits
  }()
  private static let contacts = 5_000
  private static let notifications = 100_000

  static let copyContacts = SQL(
    """
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?3) \
    INSERT INTO contact (owner_id, id, person_id, name_key, sharing, since) \
    SELECT ?1, i * 64 + 12, ?2 + i * 64, printf(' person %08d', i * 7919 % ?3), 0, 0 FROM n
    """
  )
  static let copyPeople = SQL(
    """
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?3) \
    INSERT INTO person (id, family_id, name, first_name, gender, theme, created_at) \
    SELECT ?2 + i * 64, ?1, 'Person', 'Person', 0, 0, 0 FROM n
    """
  )
  static let copyNotifications = SQL(
    """
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2) \
    INSERT INTO notification (recipient_id, id, created_at) SELECT ?1, i * 64 + 15, 0 FROM n
    """
  )

  /// Gives the person whose lists are long.
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
      try transaction.run(Self.copyPeople, family.rawValue, first, Int64(Self.contacts))
      try transaction.run(Self.copyContacts, ada.rawValue, first, Int64(Self.contacts))
      try transaction.run(Self.copyNotifications, ada.rawValue, Int64(Self.notifications))
      return ada
    }
  }

  private func count(_ statement: Statement) throws -> Int {
    var count = 0
    try statement.forEachRow { _ in count += 1 }
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
    let page: (SQL<Positional>, (Statement) throws -> Void) throws -> Int = { sql, bind in
      // Each has the budget for itself.
      reader.endRead()
      let statement = try reader.statement(sql)
      try statement.bind(1, ada.rawValue)
      try statement.bind(3, 51 as Int64)
      try bind(statement)
      return try count(statement)
    }
    #expect(try page(ContactPages.all) { _ in } == 51)
    for (number, expected) in [(2_500, 51), (4_979, 20)] {
      let found = try page(ContactPages.allAfter) { statement in
        let digits = String(number)
        try statement.bind(4, " person " + String(repeating: "0", count: 8 - digits.count) + digits)
        try statement.bind(5, Int64.max)
      }
      #expect(found == expected)
    }
    for (all, after) in [
      (NotificationPages.all, NotificationPages.allAfter), (NotificationPages.unread, NotificationPages.unreadAfter),
    ] {
      #expect(try page(all) { _ in } == 51)
      for (number, expected) in [(50_000 as Int64, 51), (21, 20)] {
        #expect(try page(after) { try $0.bind(4, number * 64 + 15) } == expected)
      }
    }
    for (sql, expected) in [
      (ContactPages.allCount, Self.contacts), (NotificationPages.allCount, Self.notifications),
      (NotificationPages.unreadCount, Self.notifications),
    ] {
      reader.endRead()
      let statement = try reader.statement(sql)
      try statement.bind(1, ada.rawValue)
      #expect(try statement.first { row in row.int64(0) } == Int64(expected))
    }
    // That there is a budget at all: the whole list costs more.
    #expect(throws: DatabaseError.self) {
      reader.endRead()
      let statement = try reader.statement(NotificationPages.all)
      try statement.bind(1, ada.rawValue)
      try statement.bind(3, Int64.max)
      _ = try count(statement)
    }
    await database.close()
  }
}
