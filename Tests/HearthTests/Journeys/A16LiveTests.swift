import TestSupport
import Testing

@testable import Hearth

@Suite("A16: whose session ends hears no more", .timeLimit(.minutes(20)))
struct A16LiveTests {
  private static let ended = TestWebSocket.Frame.close(4403, "SESSION_ENDED: The session has ended.")

  @Test func `who signs out, on every device of the session and on no other`() async throws {
    try await TestServer.run(loops: 2) { server in
      let ada = try await Household(on: server)
      let phone = try await A16SignOutTests.signIn(server).client
      var open: [Listener] = []
      for _ in 0..<4 {
        open.append(try await Listener.open(server.port, phone, A06LiveDashboardTests.changes).listening())
      }
      let tablet = try await Listener.open(server.port, ada.parent, A06LiveDashboardTests.changes).listening()
      #expect(try await phone.perform(Documents.signOut)["signedOut"] == true)
      let item = try await ada.addItem("Tent")
      for listener in open { #expect(try await listener.socket.receive() == Self.ended) }
      #expect(try await tablet.next()["data.familyChanged.item.id"] == .string(item))
    }
  }

  @Test func `a child that was removed`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia", username: "mia")
      let child = try await Listener.open(
        server.port,
        try await ada.signIn("mia"),
        "subscription { reminderDue { id } }"
      ).listening()
      #expect(try await ada.parent.perform(Documents.removeChild, ["id": .string(mia)]).userErrors == [])
      #expect(try await child.socket.receive() == Self.ended)
    }
  }

  @Test func `a child hears no more of a chore that is no longer its own`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia", username: "mia")
      let chore = try await ada.addChore("Feed the cat", for: [mia])
      _ = try await ada.setReminder(of: chore, at: "2026-11-21T08:00:30Z")
      let due = "subscription { reminderDue { chore { name } } }"
      let child = try await Listener.open(server.port, try await ada.signIn("mia"), due).listening()
      let parent = try await Listener.open(server.port, ada.parent, due).listening()
      let input: Value = ["id": .string(chore), "assigneeIds": []]
      #expect(try await ada.parent.perform(Documents.updateChore, ["input": input]).userErrors == [])
      server.clock.advance(seconds: 30)
      #expect(try await parent.next()["data.reminderDue.chore.name"] == "Feed the cat")
      _ = try await child.listening()
    }
  }
}
