import TestSupport
import Testing

@testable import Hearth

@Suite("A9, A11: children are notified", .timeLimit(.minutes(20)))
struct A11ChildNotificationTests {
  private static let received = "subscription { notificationReceived { __typename message } }"
  private static let list = """
    query ($unreadOnly: Boolean) { viewer { ... on Child { unreadNotificationCount
      notifications(unreadOnly: $unreadOnly) { totalCount nodes { __typename id message readAt
        ... on ChoreApprovedNotification { chore { id } approvedBy { id } }
        ... on ChoreReturnedNotification { chore { id returnComment } returnedBy { id } }
        ... on RewardRedeemedNotification { entry { reason level } redeemedBy { __typename id } }
        ... on RewardHandedOutNotification { entry { reason level } handedOutBy { id } } } } } } }
    """
  private static let mark = """
    mutation ($ids: [ID!]) { markNotificationsRead(ids: $ids) {
      account { id } child { id unreadNotificationCount } userErrors { field code message } } }
    """

  private func respond(_ home: A11PointLedgerTests.Home) async throws {
    let chore = Value.string(home.chore)
    _ = try await home.child.perform(Documents.finishChore, ["id": chore])
    let back: Value = ["id": chore, "comment": "The bowl is empty."]
    #expect(try await home.ada.parent.perform(Documents.returnChore, ["input": back]).userErrors == [])
    _ = try await home.child.perform(Documents.finishChore, ["id": chore])
    let good: Value = ["id": chore, "points": 2]
    #expect(try await home.ada.parent.perform(Documents.approveChore, ["input": good]).userErrors == [])
  }

  @Test func `of a parent's response to a chore, live and in a list that only the child sees`() async throws {
    try await TestServer.run { server in
      let home = try await A11PointLedgerTests.Home(on: server)
      _ = try await home.ada.addChild("Ben", username: "ben")
      let device = try await Listener.open(server.port, home.child, Self.received).listening()
      try await respond(home)
      for (type, message) in [
        ("ChoreReturnedNotification", "Ada Lovelace has sent a chore back: Feed the cat."),
        ("ChoreApprovedNotification", "Ada Lovelace has approved a chore: Feed the cat."),
      ] {
        let event: Value = ["__typename": .string(type), "message": .string(message)]
        #expect(try await device.next()["data.notificationReceived"] == event)
      }
      let listed = try await home.child.ask(Self.list)["data.viewer"]
      #expect(listed["unreadNotificationCount"] == 2 && listed["notifications.totalCount"] == 2)
      let nodes = listed["notifications.nodes"]
      let ada = Value.string(home.ada.personID)
      #expect(nodes["0.approvedBy.id"] == ada && nodes["0.chore.id"] == .string(home.chore))
      #expect(nodes["1.returnedBy.id"] == ada && nodes["1.chore.returnComment"] == .null)
      // Neither parents nor siblings see them.
      let seen = """
        query ($id: ID!, $one: ID!) { node(id: $id) { ... on Child { unreadNotificationCount notifications { totalCount } } }
          one: node(id: $one) { id } }
        """
      let ids: Value = ["id": .string(home.mia), "one": nodes["0.id"]]
      for client in [home.ada.parent, try await home.ada.signIn("ben")] {
        let data = try await client.ask(seen, ids)["data"]
        #expect(data == ["node": ["unreadNotificationCount": nil, "notifications": nil], "one": nil])
      }
      #expect(try await home.child.ask(seen, ids)["data.one.id"] == nodes["0.id"])
    }
  }

  @Test func `of points that answer a finished chore, but not of others`() async throws {
    try await TestServer.run { server in
      let home = try await A11PointLedgerTests.Home(on: server)
      _ = try await home.child.perform(Documents.finishChore, ["id": .string(home.chore)])
      try await home.give(2)
      try await home.give(1)
      let listed = try await home.child.ask(Self.list)["data.viewer.notifications.nodes"]
      #expect(listed.each("__typename") == ["ChoreApprovedNotification"])
    }
  }

  @Test func `of rewards, as parents are when a child redeems one`() async throws {
    try await TestServer.run { server in
      let home = try await A11PointLedgerTests.Home(on: server)
      let levels = [(1, "Ice cream"), (1, "Cinema")]
      let contract = try await home.ada.makeContract(with: home.mia, levels: levels)
      try await home.give(2)
      let parent = try await Listener.open(server.port, home.ada.parent, Self.received).listening()
      let child = try await Listener.open(server.port, home.child, Self.received).listening()
      func reward(_ level: Int) -> Value {
        ["input": ["contractId": .string(contract), "level": .number(Double(level))]]
      }
      func expectNotification(_ device: Listener, _ type: String, _ message: String) async throws {
        let event: Value = ["__typename": .string(type), "message": .string(message)]
        #expect(try await device.next()["data.notificationReceived"] == event)
      }
      for _ in 0..<2 { _ = try await home.child.perform(Documents.redeemReward, reward(1)) }
      try await expectNotification(parent, "RewardRedeemedNotification", "Mia has redeemed a reward: Ice cream.")
      for _ in 0..<2 { _ = try await home.ada.parent.perform(Documents.handOutReward, reward(1)) }
      try await expectNotification(
        child,
        "RewardHandedOutNotification",
        "Ada Lovelace has handed out a reward: Ice cream."
      )
      _ = try await home.ada.parent.perform(Documents.redeemReward, reward(2))
      try await expectNotification(child, "RewardRedeemedNotification", "Ada Lovelace has redeemed a reward: Cinema.")
      let listed = try await home.child.ask(Self.list)["data.viewer.notifications.nodes"]
      #expect(listed.list.count == 2)
      #expect(listed["0.entry"] == ["reason": "Cinema", "level": 2])
      #expect(listed["0.redeemedBy"] == ["__typename": "Person", "id": .string(home.ada.personID)])
      #expect(listed["1.handedOutBy.id"] == .string(home.ada.personID))
    }
  }

  @Test func `a child marks its own as read`() async throws {
    try await TestServer.run { server in
      let home = try await A11PointLedgerTests.Home(on: server)
      try await respond(home)
      let ids = try await home.child.ask(Self.list)["data.viewer.notifications.nodes"].each("id")
      let parents = try await home.ada.parent.ask(
        "{ viewer { ... on Account { notifications { nodes { id } } } } }"
      )["data.viewer.notifications.nodes"].each("id")
      let wrong = try await home.child.perform(Self.mark, ["ids": .array([parents[0]])])
      #expect(wrong.userErrors == ["ids.0 NOT_FOUND"] && wrong["child"] == .null)
      let one = try await home.child.perform(Self.mark, ["ids": .array([ids[0]])])
      #expect(one["child"] == ["id": .string(home.mia), "unreadNotificationCount": 1] && one["account"] == .null)
      let unread = try await home.child.ask(Self.list, ["unreadOnly": true])["data.viewer.notifications"]
      #expect(unread["totalCount"] == 1 && unread["nodes"].each("id") == [ids[1]])
      #expect(try await home.child.perform(Self.mark)["child.unreadNotificationCount"] == 0)
      #expect(try await home.ada.parent.perform(Self.mark)["child"] == .null)
    }
  }

  @Test func `a device that was away receives what it missed`() async throws {
    try await TestServer.run { server in
      let home = try await A11PointLedgerTests.Home(on: server)
      try await respond(home)
      let late = try await Listener.open(server.port, home.child, Self.received, after: "0")
      let types = try await [late.next(), late.next()].map { $0["data.notificationReceived.__typename"] }
      #expect(types == ["ChoreReturnedNotification", "ChoreApprovedNotification"])
    }
  }
}
