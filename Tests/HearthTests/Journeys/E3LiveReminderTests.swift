import TestSupport
import Testing

@testable import Hearth

@Suite("E3: reminders arrive", .timeLimit(.minutes(20)))
struct E3LiveReminderTests {
  private static let due = "subscription { reminderDue { id status chore { name } } }"

  @Test func `on every device of the parents and of whom the chore is for, and on no other`() async throws {
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
      // Nothing has come for those whom it is not for.
      for device in devices.suffix(2) + [brother] { _ = try await device.listening() }
    }
  }

  @Test func `what is due and not answered comes first, marked where it may have been seen`() async throws {
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
    // The third becomes due while nobody is there.
    try await TestServer.run(in: directory, startingLater: 60) { server in
      let parent = Client(port: server.port, token: token)
      let device = try await Listener.open(server.port, parent, Self.due, after: position)
      let seen = try await device.next()
      #expect(seen["data.reminderDue.id"] == .string(reminders[1]))
      #expect(seen["extensions.replayed"] == true)
      let missed = try await device.next()
      #expect(missed["data.reminderDue.id"] == .string(reminders[2]))
      #expect(missed["extensions.replayed"] == .null)
    }
  }

  @Test func `checking off is told in the family`() async throws {
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
