import Storage
import Synchronization
import TestSupport
import Testing

@testable import Hearth

@Suite("Positions of a family", .timeLimit(.minutes(5)))
struct FamilyPositionTests {
  private static let databases: [TestDatabase] = PostgreSQLCluster.isInstalled ? [.sqlite, .postgresql] : [.sqlite]

  private struct Rejection: Error {}

  @Test(arguments: databases)
  func `are consecutive in the order of the commits, whatever is written at the same time`(
    _ database: TestDatabase
  ) async throws {
    try await TestServer.run(database: database) { server in
      let families = (1...3).map { GlobalID(.family, number: 1_000 + $0) }
      let commits = CommitOrder()
      let database = server.services.database
      // Older events are swept.
      let now = server.clock.clock.now()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number: Int64 in 0..<300 {
          group.addTask {
            let write: @Sendable (WriteTransaction) throws -> Void = { transaction in
              // Rising in every other write, so that writes name the families in different orders.
              let named = number.isMultiple(of: 2) ? families : families.reversed()
              let subject = GlobalID(.item, number: number)
              let dated = DatedWrite(at: Timestamp(now), in: transaction)
              for family in named.dropLast(Int(number % 3)) {
                dated.inFamily(family).record(.itemChanged, subject: subject)
              }
              // A third of the writes is rolled back, some of them with positions.
              if number % 6 == 4 { try transaction.writeCollected() }
              if number % 3 == 1 { throw Rejection() }
              transaction.afterCommit { commits.append(subject.rawValue) }
            }
            do { try await database.write(write) } catch is Rejection {}
          }
        }
        try await group.waitForAll()
      }
      let order = commits.all
      #expect(order.count == 200)
      for family in families {
        let stored = "SELECT position, subject_id FROM family_event WHERE family_id = \(family.rawValue)"
        let events = try server.rows("\(stored) ORDER BY position", columns: 2)
        #expect(events.map { $0[0] } == Array(1...Int64(events.count)))
        let mine = Set(events.map { $0[1] })
        #expect(events.map { $0[1] } == order.filter { mine.contains($0) })
        #expect(mine.count == events.count && events.count >= 100)
        let feed = "SELECT position, count FROM family_feed WHERE family_id = \(family.rawValue)"
        #expect(try server.rows(feed, columns: 2) == [[Int64(events.count), Int64(events.count)]])
      }
    }
  }

  @Test(arguments: databases)
  func `number events, due reminders and notifications in one line`(_ database: TestDatabase) async throws {
    try await TestServer.run(database: database) { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia", username: "mia")
      let child = try await ada.signIn("mia")
      let chore = try await ada.addChore("Feed the cat", for: [mia])
      _ = try await ada.setReminder(of: chore, at: "2026-11-21T08:00:30Z")
      let device = try await Listener.open(
        server.port,
        ada.parent,
        "subscription { notificationReceived { __typename } }"
      ).listening()
      server.clock.advance(seconds: 30)
      #expect(try await device.next()["data.notificationReceived.__typename"] == "ReminderNotification")
      _ = try await child.perform(Documents.finishChore, ["id": .string(chore)])
      let second = try await device.next()
      #expect(second["data.notificationReceived.__typename"] == "ChoreFinishedNotification")
      let positions = try server.rows(
        """
        SELECT position FROM family_event UNION ALL SELECT due_position FROM reminder WHERE due_position IS NOT NULL \
        UNION ALL SELECT position FROM notification ORDER BY 1
        """,
        columns: 1
      )
      let newest = try server.rows("SELECT position FROM family_feed", columns: 1)[0][0]
      #expect(positions.map { $0[0] } == Array(1...newest))
      let position = try #require(second["extensions.position"].string)
      #expect(server.services.cipher.position(of: position) == newest)
    }
  }

  private static let items = "subscription { familyChanged { ... on ItemChanged { item { name } } } }"
  private static let due = "subscription { reminderDue { chore { name } } }"

  /// Grace's family has far higher positions than the one that she joins.
  @Test(arguments: databases)
  func `of who comes from a family with more events rise, and their earlier ones are a gap`(
    _ database: TestDatabase
  ) async throws {
    try await TestServer.run(database: database) { server in
      let ada = try await Household(on: server)
      let grace = try await Household(on: server, email: FamilyInvitationTests.guest)
      _ = try await ada.addItem("Ada's")
      for number in 1...40 { _ = try await grace.addItem("Item \(number)") }
      let chore = try await grace.addChore("Water the plants")
      _ = try await grace.setReminder(of: chore, at: "2026-11-21T08:00:30Z")
      let reminded = try await Listener.open(server.port, grace.parent, Self.due).listening()
      server.clock.advance(seconds: 30)
      _ = try await reminded.next()
      let adas = try await Listener.open(server.port, ada.parent, Self.items).listening()
      let adasReminders = try await Listener.open(server.port, ada.parent, Self.due).listening()
      let adasPosition = try #require(adas.position)
      let newest = try #require(try await Listener.open(server.port, grace.parent, Self.items).listening().position)
      _ = try await ada.parent.perform(Documents.inviteParent, ["email": .string(grace.email)])
      let token = Value.string(try await server.mail(to: grace.email, about: "invites").token)
      try await grace.verifyEmail(on: server)
      #expect(try await grace.parent.perform(Documents.acceptInvitation, ["token": token]).userErrors.isEmpty)
      let late = try await Listener.open(server.port, grace.parent, Self.items, after: newest)
      #expect(try await late.rejection() == "FEED_GAP")
      // Members of the family miss nothing, whether they were connected or resume.
      let resumed = try await Listener.open(server.port, ada.parent, Self.items, after: adasPosition)
      for listener in [adas, resumed] {
        for number in 1...40 {
          var item = try await listener.next()["data.familyChanged.item.name"]
          // The invitation and the chore of the joining family come first.
          while item == .null { item = try await listener.next()["data.familyChanged.item.name"] }
          #expect(item == .string("Item \(number)"))
        }
      }
      #expect(try await adasReminders.next()["data.reminderDue.chore.name"] == "Water the plants")
      let clash = "SELECT count(*) FROM family_event AS e JOIN reminder AS r ON r.family_id = e.family_id"
      #expect(try server.rows("\(clash) AND r.due_position = e.position", columns: 1) == [[0]])
      // Grace goes on from where she is now.
      let device = try await Listener.open(server.port, grace.parent, Self.items).listening()
      let position = try #require(device.position)
      _ = try await ada.addItem("Theirs")
      for listener in [device, try await Listener.open(server.port, grace.parent, Self.items, after: position)] {
        #expect(try await listener.next()["data.familyChanged.item.name"] == "Theirs")
      }
    }
  }
}

/// The order in which writes were committed.
private final class CommitOrder: Sendable {
  private let subjects = Mutex<[Int64]>([])

  var all: [Int64] { subjects.withLock { $0 } }

  func append(_ subject: Int64) { subjects.withLock { $0.append(subject) } }
}
