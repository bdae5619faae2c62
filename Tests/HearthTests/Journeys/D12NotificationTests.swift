import TestSupport
import Testing

@testable import Hearth

@Suite("D12: notifications")
struct D12NotificationTests {
  private func notifications(_ one: Household, unreadOnly: Bool = false) async throws -> Value {
    try await one.parent.ask(Documents.notifications, ["unreadOnly": .boolean(unreadOnly)])["data.viewer"]
  }

  @Test func `they are listed with the newest first, and each says of what kind it is`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      let browning = try await Household("Browning Duncan", on: server)
      let john = try await Household("John Smith", on: server)
      #expect(
        try await notifications(user) == [
          "unreadNotificationCount": 0, "notifications": ["totalCount": 0, "nodes": []],
        ]
      )
      let contact = try await john.befriend(user)
      server.clock.advance(seconds: 60)
      let request = try await browning.request(user, offering: ["WORK"])
      server.clock.advance(seconds: 60)
      _ = try await john.parent.perform(Documents.removeContact, ["id": .string(contact)])
      let list = try await notifications(user)
      #expect(list["unreadNotificationCount"] == 3)
      #expect(list["notifications.totalCount"] == 3)
      let nodes = list["notifications.nodes"]
      #expect(
        nodes.each("__typename") == [
          "ContactRemovedNotification", "ContactRequestNotification", "ContactAcceptedNotification",
        ]
      )
      #expect(
        nodes.each("message") == [
          "John Smith is no longer in your address book.", "Browning Duncan asks to become your contact.",
          "John Smith is now in your address book.",
        ]
      )
      #expect(nodes["0.person.name"] == "John Smith")
      #expect(
        nodes["1.request"] == ["id": .string(request), "from": ["name": "Browning Duncan"], "offered": ["WORK"]]
      )
      #expect(
        nodes.each("createdAt") == ["2026-11-21T08:02:00Z", "2026-11-21T08:01:00Z", "2026-11-21T08:00:00Z"]
      )
      #expect(nodes.each("readAt") == [nil, nil, nil])
      _ = try await john.parent.perform(Documents.deactivate, ["password": .string(Household.password)])
      let later = try await notifications(user)["notifications.nodes.0"]
      #expect(later["person"] == .null)
      #expect(later["message"] == "Somebody is no longer in your address book.")
    }
  }

  @Test func `those that are named are marked as read, or all of them`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      for name in ["Browning Duncan", "John Smith", "Emily Smith"] {
        _ = try await Household(name, on: server).request(user)
      }
      let nodes = try await notifications(user)["notifications.nodes"]
      server.clock.advance(seconds: 60)
      let marked = try await user.parent.perform(Documents.markRead, ["ids": [nodes["1.id"], nodes["1.id"]]])
      #expect(marked["account.unreadNotificationCount"] == 2)
      server.clock.advance(seconds: 60)
      #expect(try await user.parent.perform(Documents.markRead, ["ids": [nodes["1.id"]]]) == marked)
      let unread = try await notifications(user, unreadOnly: true)
      #expect(unread["notifications.totalCount"] == 2)
      #expect(unread["notifications.nodes"].each("id") == [nodes["0.id"], nodes["2.id"]])
      #expect(try await user.parent.perform(Documents.markRead)["account.unreadNotificationCount"] == 0)
      let read = try await notifications(user)
      #expect(
        read["notifications.nodes"].each("readAt") == [
          "2026-11-21T08:02:00Z", "2026-11-21T08:01:00Z", "2026-11-21T08:02:00Z",
        ]
      )
      #expect(try await notifications(user, unreadOnly: true)["notifications"] == ["totalCount": 0, "nodes": []])
      #expect(try await user.parent.perform(Documents.markRead, ["ids": []]).userErrors.isEmpty)
    }
  }

  @Test func `another's look like none, and nothing is marked where one is missing`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      let other = try await Household("Browning Duncan", on: server)
      _ = try await user.request(other)
      _ = try await Household("John Smith", on: server).request(user)
      let own = try await notifications(user)["notifications.nodes.0.id"]
      let theirs = try await notifications(other)["notifications.nodes.0.id"]
      let outcome = try await user.parent.perform(Documents.markRead, ["ids": [own, theirs, "nonsense"]])
      #expect(outcome.userErrors == ["ids.1 NOT_FOUND", "ids.2 NOT_FOUND"])
      #expect(try await notifications(user)["unreadNotificationCount"] == 1)
      #expect(try await notifications(other)["unreadNotificationCount"] == 1)
      let node = "query ($id: ID!) { node(id: $id) { __typename id ... on Notification { message } } }"
      #expect(try await user.parent.ask(node, ["id": theirs]) == ["data": ["node": nil]])
      #expect(
        try await user.parent.ask(node, ["id": own])["data.node.message"]
          == "John Smith asks to become your contact."
      )
      let many = try await user.parent.perform(
        Documents.markRead,
        ["ids": .array(Array(repeating: own, count: 1_001))]
      )
      #expect(many.userErrors == ["ids TOO_LONG"])
    }
  }

  @Test func `the adults of the family are notified of a due reminder`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let other = try await Household("Browning Duncan", on: server)
      let chore = try await ada.addChore("Feed the cat")
      let reminder = try await ada.setReminder(of: chore, at: "2026-11-21T08:01:00Z")
      server.clock.advance(seconds: 60)
      // The scheduler wakes on a thread of its own.
      try await waitUntil("The parent is notified.") {
        try await notifications(ada)["unreadNotificationCount"] != 0
      }
      let received = try await notifications(ada)["notifications.nodes"]
      #expect(received.list.count == 1)
      #expect(received["0.__typename"] == "ReminderNotification")
      #expect(received["0.message"] == "It is time: Feed the cat.")
      #expect(received["0.reminder"] == ["status": "DUE", "chore": ["name": "Feed the cat"]])
      #expect(try await notifications(other)["notifications.totalCount"] == 0)
      _ = try await ada.parent.perform(Documents.removeReminder, ["id": .string(reminder)])
      #expect(try await notifications(ada)["notifications.nodes.0.reminder"] == .null)
    }
  }

  @Test func `pages follow each other`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      for name in ["Browning Duncan", "Ronnie Carter", "John Smith", "Lisa Shoemaker", "Ryan Hayes"] {
        _ = try await Household(name, on: server).request(user)
      }
      let document = """
        query ($after: String, $unreadOnly: Boolean) { viewer { ... on Account {
          notifications(first: 2, after: $after, unreadOnly: $unreadOnly) {
            totalCount nodes { id } pageInfo { hasNextPage endCursor } } } } }
        """
      let all = try await notifications(user)["notifications.nodes"].each("id")
      for unreadOnly in [false, true] {
        var found: [Value] = []
        var after: Value = nil
        repeat {
          let answer = try await user.parent.ask(document, ["after": after, "unreadOnly": .boolean(unreadOnly)])
          let page = answer["data.viewer.notifications"]
          #expect(page["totalCount"] == 5)
          found += page["nodes"].each("id")
          after = page["pageInfo.hasNextPage"] == true ? page["pageInfo.endCursor"] : nil
        } while after != nil
        #expect(found == all)
      }
    }
  }
}
