import GraphQL
import PostgreSQL
import Storage
import TestSupport
import Testing

@testable import Hearth
@testable import Storage

@Suite("Feed positions of an earlier version")
struct FamilyPositionMigrationTests {
  private static let before = Migration.all.filter { $0.number < Migration.familyPositions.number }
  private static let notification = GlobalID(.parentLeftNotification, number: 950)
  /// A family with an event and a notification, and one that never had an event.
  private static let rows = [
    "INSERT INTO family (id, name, time_zone, created_at) VALUES (65, 'Lovelace family', 'UTC', 0)",
    "INSERT INTO family (id, name, time_zone, created_at) VALUES (129, 'Hopper family', 'UTC', 0)",
    """
    INSERT INTO person (id, family_id, name, first_name, gender, theme, created_at) \
    VALUES (67, 65, 'Ada', 'Ada', 0, 0, 0)
    """,
    "INSERT INTO family_event (family_id, position, kind, subject_id, recorded_at) VALUES (65, 900, 6, 132, 0)",
    "INSERT INTO notification VALUES (67, \(notification.rawValue), NULL, NULL, 0, NULL)",
    "UPDATE sequence SET next = 1000",
  ]

  /// Clients have positions up to 999, which they received with events or when they connected.
  private func expectContinuation(in database: Database) async throws {
    let (ada, grace, person) = (GlobalID(rawValue: 65), GlobalID(rawValue: 129), GlobalID(rawValue: 67))
    try await database.write { transaction in
      let write = DatedWrite(at: Timestamp(0), in: transaction)
      for family in [ada, grace] {
        write.inFamily(family).record(.itemChanged, subject: person)
      }
      try Notifications.notify(person, kind: .parentLeftNotification, by: nil, in: write)
    }
    let read = try await database.write { transaction in
      let reader = transaction.reader
      let events = try [ada, grace].map { family in
        try FeedEvent.kept(in: family, after: 899, atMost: 9, from: reader).map(\.position)
      }
      let notified = (recipient: person, after: 949 as Int64, limit: 9 as Int64)
      let notifications = try reader.all(of: NotificationReceived.kept, notified) { row in row.int64(1) }
      let feeds = try [ada, grace].map { family in
        try reader.first(of: FeedCounter.stored, family) { row in [row.int64(0), row.int64(1)] } ?? []
      }
      return (events: events, notifications: notifications, feeds: feeds)
    }
    #expect(read.events == [[900, 1_000], [1_000]])
    #expect(read.notifications == [950, 1_001])
    #expect(read.feeds == [[1_001, 2], [1_000, 1]])
  }

  @Test func `are continued by each family`() async throws {
    let directory = try TemporaryDirectory()
    let path = DataDirectory.databasePath(in: directory.path)
    let old = try Database(path: path, migrations: Self.before)
    try await old.write { transaction in
      for text in Self.rows { try transaction.statement(StatementText(text)).run() }
    }
    await old.close()
    let new = try Database(path: path, migrations: Migration.all)
    try await expectContinuation(in: new)
    await new.close()
    #expect(try Database.integrityCheck(of: path) == [])
  }

  @Test(.enabled(if: PostgreSQLCluster.isInstalled, "Scripts/install-postgresql installs PostgreSQL."))
  func `are continued by each family on PostgreSQL`() async throws {
    let cluster = try await PostgreSQLCluster.shared()
    let name = try await cluster.makeDatabase()
    let url = cluster.url(of: name)
    let setup = DatabaseSetup(try DatabaseURL(url), versions: Self.before.map(\.version), allowsUnsafeSettings: true)
    _ = try await TestThread { try setup.install(PostgreSQLSchema.text) }.value
    for text in Self.rows { _ = try await cluster.execute(text, in: name) }
    let server = try await TestThread {
      try PostgreSQLDatabase(
        url: url,
        schema: .ofProduct,
        migrations: Migration.all,
        allowsUnsafeSettings: true,
        isAccepted: { _ in }
      )
    }.value
    let new = try await Database(server)
    try await expectContinuation(in: new)
    await new.close()
  }
}
