import TestSupport
import Testing

@testable import Hearth
@testable import Storage

@Suite("E3: reminders that become due in one write", .timeLimit(.minutes(5)))
struct E3ReminderBatchTests {
  private static let due = "subscription { reminderDue { id } }"
  private static let time = "2026-11-21T08:00:30Z"

  /// Two families, of which one has a child with a chore of its own, and the devices of the other do not exist.
  private struct Families {
    let ada: Household
    let child: Client
    let bob: Household
    /// The child's chore, another one of the same family, and one of the other family.
    let chores: [String]

    init(on server: TestServer) async throws {
      ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia", username: "mia")
      child = try await ada.signIn("mia")
      bob = try await Household(on: server, email: "bob@example.com", name: "Bob Byron")
      chores = [
        try await ada.addChore("Feed the cat", for: [mia]), try await ada.addChore("Walk the dog"),
        try await bob.addChore("Sweep"),
      ]
      #expect(try await ada.parent.register(D15DeviceTests.subscription("ada")).userErrors == [])
      #expect(try await child.register(D15DeviceTests.subscription("mia")).userErrors == [])
    }
  }

  @Test func `each goes to the parents of its family, to the assignees of its chore and to their devices`()
    async throws
  {
    try await TestServer.run { server in
      let families = try await Families(on: server)
      let (ada, child, bob, chores) = (families.ada, families.child, families.bob, families.chores)
      var reminders = [try await ada.setReminder(of: chores[0], at: Self.time)]
      let ofBob = try await bob.setReminder(of: chores[2], at: Self.time)
      for chore in [chores[1], chores[0]] { reminders.append(try await ada.setReminder(of: chore, at: Self.time)) }
      var listeners: [(Listener, [String])] = []
      let ofChild = [reminders[0], reminders[2]]
      for (client, expected) in [(ada.parent, reminders), (child, ofChild), (bob.parent, [ofBob])] {
        listeners.append((try await Listener.open(server.port, client, Self.due).listening(), expected))
      }
      server.clock.advance(seconds: 60)
      for (listener, expected) in listeners {
        var seen: [String] = []
        for _ in expected { seen.append(try #require(try await listener.next()["data.reminderDue.id"].string)) }
        #expect(Set(seen) == Set(expected) && seen.count == expected.count)
      }
      func key(_ id: String) throws -> Int64 { try #require(server.services.cipher.key(of: id)).rawValue }
      let (adasKey, bobsKey) = (try key(ada.personID), try key(bob.personID))
      // A notification for each parent, at a position of its own among those of the family.
      var expected = try reminders.map { [adasKey, try key($0)] } + [[bobsKey, try key(ofBob)]]
      let notified = try server.rows("SELECT recipient_id, subject_id FROM notification", columns: 2)
      #expect(Set(notified) == Set(expected) && notified.count == 4)
      let adas = expected.dropLast().map { "\($0[1])" }.joined(separator: ", ")
      let positions = try server.rows(
        """
        SELECT count(DISTINCT position), max(position) - min(position) FROM (\
        SELECT position FROM notification WHERE recipient_id = \(adasKey) \
        UNION ALL SELECT due_position FROM reminder WHERE id IN (\(adas))) AS p
        """,
        columns: 2
      )
      #expect(positions == [[6, 5]])
      // The parent's device gets the notifications, the child's the reminders.
      let pushed = try server.rows(
        """
        SELECT p.recipient_id & 63, coalesce(n.subject_id, p.subject_id) FROM push AS p \
        LEFT JOIN notification AS n ON n.id = p.subject_id
        """,
        columns: 2
      )
      expected = try reminders.map { [Kind.person.rawValue, try key($0)] }
      expected += try ofChild.map { [Kind.child.rawValue, try key($0)] }
      #expect(Set(pushed) == Set(expected) && pushed.count == 5)
    }
  }

  @Test func `the queue of a device is bounded also by what becomes due together`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia", username: "mia")
      let child = try await ada.signIn("mia")
      #expect(try await ada.parent.register(D15DeviceTests.subscription("ada")).userErrors == [])
      #expect(try await child.register(D15DeviceTests.subscription("mia")).userErrors == [])
      var last = ""
      for number in 0..<21 {
        let chore = try await ada.addChore("Chore \(number)", for: [mia])
        for _ in 0..<5 { last = try await ada.setReminder(of: chore, at: Self.time) }
      }
      let listener = try await Listener.open(server.port, child, Self.due).listening()
      server.clock.advance(seconds: 60)
      for _ in 0..<105 { _ = try await listener.next() }
      let queues = try server.rows(
        "SELECT d.queued, (SELECT count(*) FROM push AS p WHERE p.device_id = d.id) FROM device AS d",
        columns: 2
      )
      #expect(queues == [[100, 100], [100, 100]])
      let newest = try #require(server.services.cipher.key(of: last)).rawValue
      #expect(try server.rows("SELECT count(*) FROM push WHERE subject_id = \(newest)", columns: 1) == [[1]])
    }
  }
}

/// Reminders of a server on PostgreSQL.
@Suite(
  "E3: round trips of reminders",
  .enabled(if: PostgreSQLCluster.isInstalled, "Scripts/install-postgresql installs PostgreSQL."),
  .timeLimit(.minutes(5))
)
struct E3ReminderRoundTripTests {
  @Test func `reminders that become due together take a few round trips, however many they are`() async throws {
    try await TestServer.run(database: .postgresql) { server in
      let (families, database) = (8, server.services.database)
      var listeners: [Listener] = []
      for number in 0..<families {
        let household = try await Household(on: server, email: "ada\(number)@example.com")
        for chore in 0..<10 {
          let chore = try await household.addChore("Chore \(chore)")
          _ = try await household.setReminder(of: chore, at: "2026-11-21T08:00:30Z")
        }
        listeners.append(
          try await Listener.open(server.port, household.parent, "subscription { reminderDue { id } }").listening()
        )
      }
      let before = database.postgreSQLStatistics.writeRoundTrips
      server.clock.advance(seconds: 60)
      for listener in listeners { for _ in 0..<10 { _ = try await listener.next() } }
      // For 80 reminders. The server's own sweeps are writes too, and can fall between.
      let trips = database.postgreSQLStatistics.writeRoundTrips - before
      #expect(trips < 30, "\(trips)")
    }
  }
}
