import GraphQL
import Storage
import TestSupport
import Testing

@testable import Hearth

@Suite("E3: reminders arrive", .timeLimit(.minutes(20)))
struct E3LiveReminderTests {
  private static let due = "subscription { reminderDue { id status chore { name } } }"

  @Test func `delivered to every device of the parents and the assignee, and to no other`() async throws {
    try await TestServer.run(loops: 2) { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia", username: "mia")
      _ = try await ada.addChild("Ben", username: "ben")
      let chore = try await ada.addChore("Feed the cat", for: [mia])
      let others = try await ada.addChore("Walk the dog")
      let reminder = try await ada.setReminder(of: chore, at: "2026-11-21T08:00:30Z")
      let later = try await ada.setReminder(of: others, at: "2026-11-21T08:01:30Z")
      let child = try await ada.signIn("mia")
      var devices: [Listener] = []
      for client in [ada.parent, ada.parent, child, child] {
        devices.append(try await Listener.open(server.port, client, Self.due).listening())
      }
      let brother = try await Listener.open(server.port, try await ada.signIn("ben"), Self.due).listening()
      server.clock.advance(seconds: 30)
      for device in devices {
        let event = try await device.next()
        #expect(
          event["data.reminderDue"] == ["id": .string(reminder), "status": "DUE", "chore": ["name": "Feed the cat"]]
        )
      }
      server.clock.advance(seconds: 60)
      for device in devices.prefix(2) { #expect(try await device.next()["data.reminderDue.id"] == .string(later)) }
      // Other people have received nothing.
      for device in devices.suffix(2) + [brother] { _ = try await device.listening() }
    }
  }

  @Test func `a new assignee of a chore with a due reminder receives it, and nobody gets it twice`()
    async throws
  {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia", username: "mia")
      let ben = try await ada.addChild("Ben", username: "ben")
      let chore = try await ada.addChore("Feed the cat", for: [mia])
      let due = try await ada.setReminder(of: chore, at: "2026-11-21T08:00:30Z")
      let answered = try await ada.setReminder(of: chore, at: "2026-11-21T08:00:30Z")
      _ = try await ada.setReminder(of: chore, at: "2026-11-22T08:00:00Z")
      let parent = try await Listener.open(server.port, ada.parent, Self.due).listening()
      let sister = try await Listener.open(server.port, try await ada.signIn("mia"), Self.due).listening()
      let brother = try await Listener.open(server.port, try await ada.signIn("ben"), Self.due).listening()
      server.clock.advance(seconds: 30)
      for device in [parent, sister] { for _ in 0..<2 { _ = try await device.next() } }
      let ignoring: Value = ["input": ["id": .string(answered), "answer": "IGNORE"]]
      #expect(try await ada.parent.perform(Documents.answerReminder, ignoring).userErrors == [])
      func assign(_ members: [String]) async throws {
        let input: Value = ["input": ["id": .string(chore), "assigneeIds": Value(members)]]
        #expect(try await ada.parent.perform(Documents.updateChore, input).userErrors == [])
      }
      try await assign([mia, ben])
      let event = try await brother.next()
      #expect(
        event["data.reminderDue"] == ["id": .string(due), "status": "DUE", "chore": ["name": "Feed the cat"]]
      )
      // The previous assignee, and members who had it already, receive nothing.
      try await assign([ben, ada.personID])
      try await assign([])
      for device in [parent, sister, brother] { _ = try await device.listening() }
      try await assign([ben])
      #expect(try await brother.next()["data.reminderDue.id"] == .string(due))
      let late = try await Listener.open(server.port, try await ada.signIn("ben"), Self.due)
      #expect(try await late.next()["data.reminderDue.id"] == .string(due))
    }
  }

  /// A process that is behind reads both at once.
  @Test func `a reminder that was due before its assignment is published by other processes once`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia", username: "mia")
      let ben = try await ada.addChild("Ben", username: "ben")
      let moved = try await ada.addChore("Feed the cat", for: [mia])
      let own = try await ada.addChore("Sing", for: [ben])
      let reminders = [
        try await ada.setReminder(of: moved, at: "2026-11-21T08:00:10Z"),
        try await ada.setReminder(of: own, at: "2026-11-21T08:00:20Z"),
        try await ada.setReminder(of: moved, at: "2026-11-21T08:00:30Z"),
      ]
      let device = try await Listener.open(server.port, ada.parent, Self.due).listening()
      func becomeDue() async throws {
        server.clock.advance(seconds: 10)
        _ = try await device.next()
      }
      func assign(_ members: [String]) async throws {
        let input: Value = ["input": ["id": .string(moved), "assigneeIds": Value(members)]]
        #expect(try await ada.parent.perform(Documents.updateChore, input).userErrors == [])
      }
      for _ in 0..<2 { try await becomeDue() }
      // Taken away and given again.
      for members in [[ben], [], [ben]] { try await assign(members) }
      try await becomeDue()
      func key(_ id: String) throws -> GlobalID { try #require(server.services.cipher.key(of: id)) }
      let family = try key(ada.familyID)
      func published(to member: String) throws -> [SourceEvent] {
        let reader = try server.reader()
        defer { reader.endRead() }
        let topic = Topic("reminders", key: try key(member).rawValue, log: family.rawValue)
        let entries = try ReminderDue.entries(of: topic, in: family, after: 0, atMost: 512, from: reader).joined()
        return entries.sorted { $0.position < $1.position }.flatMap { entry in entry.publications.map { $0.event } }
      }
      let (first, second, third) = (try key(reminders[0]), try key(reminders[1]), try key(reminders[2]))
      let bens = try published(to: ben)
      #expect(bens.compactMap { $0.value as? GlobalID } == [second, first, third])
      #expect(bens.map { $0.position == nil } == [false, true, false])
      // The chore is no longer hers.
      #expect(try published(to: mia).isEmpty)
      #expect(try published(to: ada.personID).compactMap { $0.value as? GlobalID } == [first, second, third])
    }
  }

  @Test func `due and unanswered reminders come first, marked as possibly seen`() async throws {
    let directory = try TemporaryDirectory()
    var token: String?
    var reminders: [String] = []
    var position = ""
    try await TestServer.run(in: directory) { server in
      let ada = try await Household(on: server)
      token = ada.parent.token
      let chore = try await ada.addChore("Feed the cat")
      for second in 1...3 {
        reminders.append(try await ada.setReminder(of: chore, at: "2026-11-21T08:00:0\(second)Z"))
      }
      let device = try await Listener.open(server.port, ada.parent, Self.due).listening()
      for reminder in reminders.prefix(2) {
        server.clock.advance(seconds: 1)
        let event = try await device.next()
        #expect(event["data.reminderDue.id"] == .string(reminder))
        position = try #require(event["extensions.position"].string)
      }
      _ = try await ada.parent.perform(
        Documents.answerReminder,
        ["input": ["id": .string(reminders[0]), "answer": "IGNORE"]]
      )
    }
    // The third becomes due while nobody is connected.
    try await TestServer.run(in: directory, startingLater: 60) { server in
      let parent = Client(port: server.port, token: token)
      let device = try await Listener.open(server.port, parent, Self.due, after: position)
      let seen = try await device.next()
      #expect(seen["data.reminderDue.id"] == .string(reminders[1]))
      #expect(seen["extensions"] == ["replayed": true])
      let missed = try await device.next()
      #expect(missed["data.reminderDue.id"] == .string(reminders[2]))
      #expect(missed["extensions.replayed"] == .null)
    }
  }

  @Test func `a reminder that is removed or answered before delivery is skipped, and the next one is delivered`()
    async throws
  {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let chore = try await ada.addChore("Feed the cat")
      let (removed, answered) = (
        try await ada.setReminder(of: chore, at: "2026-11-21T08:00:10Z"),
        try await ada.setReminder(of: chore, at: "2026-11-21T08:00:20Z")
      )
      let listener = try await Listener.open(server.port, ada.parent, Self.due).listening()
      for _ in 0..<2 {
        server.clock.advance(seconds: 10)
        _ = try await listener.next()
      }
      let news = try server.rows(
        "SELECT p.id, r.id, r.due_position, p.family_id FROM reminder AS r, person AS p ORDER BY due_position",
        columns: 4
      )
      _ = try await ada.parent.perform(Documents.removeReminder, ["id": .string(removed)])
      let ignoring: Value = ["input": ["id": .string(answered), "answer": "IGNORE"]]
      #expect(try await ada.parent.perform(Documents.answerReminder, ignoring).userErrors == [])
      let late = try await Listener.open(server.port, ada.parent, Self.due).listening()
      // The writer can be that far ahead before a loop delivers its events.
      for row in news {
        let event = SourceEvent(GlobalID(rawValue: row[1]), position: row[2])
        let topic = Topic("reminders", key: row[0], log: row[3])
        server.services.feed.announce([Feed.Publication(topic: topic, event: event)])
      }
      let next = try await ada.setReminder(of: chore, at: "2026-11-21T08:00:30Z")
      server.clock.advance(seconds: 10)
      #expect(try await late.next()["data.reminderDue.id"] == .string(next))
    }
  }

  @Test func `a clock that is set back or forward makes none come early, twice or never`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let chore = try await ada.addChore("Feed the cat")
      let first = try await ada.setReminder(of: chore, at: "2026-11-21T08:00:10Z")
      let second = try await ada.setReminder(of: chore, at: "2026-11-21T08:00:20Z")
      let device = try await Listener.open(server.port, ada.parent, Self.due).listening()
      server.clock.advance(seconds: 10)
      #expect(try await device.next()["data.reminderDue.id"] == .string(first))
      server.clock.advance(seconds: -3600)
      let third = try await ada.setReminder(of: chore, at: "2026-11-21T07:30:00Z")
      server.clock.advance(seconds: 1800)
      #expect(try await device.next()["data.reminderDue.id"] == .string(third))
      server.clock.advance(seconds: 7200)
      #expect(try await device.next()["data.reminderDue.id"] == .string(second))
      _ = try await device.listening()
      let due = "SELECT count(*), count(DISTINCT due_position) FROM reminder WHERE status = 1"
      #expect(try server.rows(due, columns: 2) == [[3, 3]])
    }
  }

  @Test func `checking off is an event of the family`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let chore = try await ada.addChore("Feed the cat")
      let reminder = try await ada.setReminder(of: chore, at: "2026-11-21T08:00:30Z")
      let device = try await Listener.open(server.port, ada.parent, A06LiveDashboardTests.changes).listening()
      _ = try await ada.parent.perform(
        Documents.answerReminder,
        ["input": ["id": .string(reminder), "answer": "CHECK_OFF"]]
      )
      #expect(
        try await device.next()["data.familyChanged.chore"]
          == ["id": .string(chore), "name": "Feed the cat", "status": "DONE"]
      )
    }
  }
}
