import TestSupport
import Testing

@testable import Hearth

@Suite("A16: whose session ends hears no more", .timeLimit(.minutes(20)))
struct A16LiveTests {
  private static let ended = TestWebSocket.Frame.close(4403, "SESSION_ENDED: The session has ended: sign in again.")

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

  /// The causes that end the session of a device that only listens.
  enum End: String, CaseIterable, Sendable {
    case signOutEverywhere, endSession, changePassword, deactivateAccount, childrenOfNobody, moveToAnotherFamily
  }

  @Test(arguments: End.allCases)
  func `whose rights end hears of the end and of nothing after it`(_ end: End) async throws {
    try await TestServer.run(loops: 2) { server in
      let ada = try await Household(on: server)
      let grace = try await Household(on: server, email: FamilyInvitationTests.guest)
      _ = try await ada.addChild("Mia", username: "mia")
      for household in [ada, grace] { _ = try await household.addItem("Tent") }
      let listener =
        switch end {
        case .childrenOfNobody: try await ada.signIn("mia")
        case .moveToAnotherFamily: grace.parent
        default: try await A16SignOutTests.signIn(server).client
        }
      var devices: [Listener] = []
      for _ in 0..<3 {
        devices.append(try await Listener.open(server.port, listener, A06LiveDashboardTests.changes).listening())
      }
      let stream = try await EventStream.open(server.port, listener, A06LiveDashboardTests.changes, after: "0")
      // It is active when the first event arrives.
      _ = try await stream.next()
      let password: Value = ["password": .string(Household.password)]
      let outcome: Outcome
      switch end {
      case .signOutEverywhere: outcome = try await ada.parent.perform(Documents.signOut, ["everywhere": true])
      case .endSession:
        let sessions = try await ada.parent.ask(Documents.sessions)["data.viewer.sessions"].list
        let other = try #require(sessions.first { $0["current"] == false })
        outcome = try await ada.parent.perform(Documents.endSession, ["id": other["id"]])
      case .changePassword:
        let passwords: Value = ["old": .string(Household.password), "new": "another correct horse"]
        outcome = try await ada.parent.perform(Documents.changePassword, passwords)
      case .deactivateAccount, .childrenOfNobody:
        outcome = try await ada.parent.perform(Documents.deactivate, password)
      case .moveToAnotherFamily:
        _ = try await ada.parent.perform(Documents.inviteParent, ["email": .string(grace.email)])
        let token = Value.string(try await server.mail(to: grace.email, about: "invites").token)
        try await grace.verifyEmail(on: server)
        outcome = try await grace.parent.perform(Documents.acceptInvitation, ["token": token])
      }
      #expect(outcome.userErrors.isEmpty, "\(outcome)")
      // A member who moves stays signed in, and sees the other family after reconnecting.
      let isMove = end == .moveToAnotherFamily
      let closed =
        isMove
        ? TestWebSocket.Frame.close(1013, "RIGHTS_CHANGED: Your rights have changed: reconnect.") : Self.ended
      for device in devices { #expect(try await device.socket.receive() == closed) }
      var event = try await stream.next()
      while event["errors"] == .null { event = try await stream.next() }
      #expect(event["errors.0.extensions.code"] == .string(isMove ? "RIGHTS_CHANGED" : "SESSION_ENDED"))
      guard isMove else { return }
      let again = try await Listener.open(server.port, listener, A06LiveDashboardTests.changes).listening()
      let boat = try await ada.addItem("Boat")
      #expect(try await again.next()["data.familyChanged.item.id"] == .string(boat))
    }
  }

  @Test func `a child receives no events of a chore that is no longer its own`() async throws {
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
