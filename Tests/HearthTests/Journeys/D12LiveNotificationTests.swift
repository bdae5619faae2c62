import TestSupport
import Testing

@testable import Hearth

@Suite("D6, D12: notifications arrive", .timeLimit(.minutes(20)))
struct D12LiveNotificationTests {
  private static let received = "subscription { notificationReceived { __typename id message } }"

  @Test func `delivered live to their recipients only, after those since the last known one`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      let browning = try await Household("Browning Duncan", on: server)
      let janna = try await Household("Janna Duran", on: server)
      let device = try await Listener.open(server.port, browning.parent, Self.received).listening()
      let stranger = try await Listener.open(server.port, janna.parent, Self.received).listening()
      _ = try await user.request(browning)
      let first = try await device.next()["data.notificationReceived"]
      #expect(first["__typename"] == "ContactRequestNotification")
      #expect(first["message"] == "Kloudbook User asks to become your contact.")
      _ = try await stranger.listening()

      _ = try await janna.request(browning)
      #expect(
        try await device.next()["data.notificationReceived.message"] == "Janna Duran asks to become your contact."
      )
      let id = try #require(first["id"].string)
      let another = try await Listener.open(
        server.port,
        browning.parent,
        "subscription { notificationReceived(after: \"\(id)\") { message } }"
      )
      #expect(
        try await another.next()["data.notificationReceived.message"] == "Janna Duran asks to become your contact."
      )
    }
  }

  @Test func `of a contact that was removed nothing more is shown, neither live nor late`() async throws {
    try await TestServer.run { server in
      let browning = try await BrowningDuncan(on: server).household
      let user = try await Household("Kloudbook User", on: server)
      let news = """
        subscription { notificationReceived { ... on ContactAcceptedNotification { person { contactInfo { id } } } \
        ... on ContactRemovedNotification { person { contactInfo { id } } } } }
        """
      let device = try await Listener.open(server.port, user.parent, news).listening()
      let contact = try await browning.befriend(user, sharing: ["WORK"])
      let shown = try await device.next()["data.notificationReceived.person.contactInfo"]
      #expect(!shown.list.isEmpty)
      #expect(try await browning.parent.perform(Documents.removeContact, ["id": .string(contact)]).userErrors == [])
      let removed: Value = ["notificationReceived": ["person": ["contactInfo": []]]]
      #expect(try await device.next()["data"] == removed)
      let late = try await Listener.open(server.port, user.parent, news, after: "0")
      for _ in 0..<2 { #expect(try await late.next()["data"] == removed) }
    }
  }

  @Test func `notifications that are marked as read twice are one event for other devices`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      let browning = try await Household("Browning Duncan", on: server)
      for person in [browning, try await Household("Janna Duran", on: server)] { _ = try await person.request(user) }
      let phone = try await user.signedInAgain(on: server).parent
      let device = try await Listener.open(server.port, phone, AccountEventTests.changes).listening()
      let nodes = try await user.parent.ask(Documents.notifications)["data.viewer.notifications.nodes"]
      // The last repeats one and has another.
      let marked: [Value] = [[nodes["1.id"]], [nodes["1.id"]], [nodes["1.id"], nodes["0.id"]]]
      for ids in marked {
        #expect(try await user.parent.perform(Documents.markRead, ["ids": ids]).userErrors == [])
      }
      let number: Value = ["input": ["phone": "+1 617 555 0123"]]
      #expect(try await user.parent.perform(Documents.updateAccount, number).userErrors == [])
      for type in ["NotificationsRead", "NotificationsRead", "AccountChanged"] as [Value] {
        #expect(try await device.next()["data.accountChanged.__typename"] == type)
      }
    }
  }

  @Test func `an invalid id is rejected, and another's is treated as missing`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      _ = try await ada.addChild("Mia", username: "mia")
      let wrong = "subscription { notificationReceived(after: \"\(ada.familyID)\") { id } }"
      for client in [ada.parent, try await ada.signIn("mia")] {
        #expect(try await Listener.open(server.port, client, wrong).rejection() == "BAD_USER_INPUT")
      }
    }
  }
}
