import Storage
import TestSupport
import Testing

@testable import Hearth

@Suite("Clients resume where they disconnected", .timeLimit(.minutes(20)))
struct ResumeTests {
  private static let items = "subscription { familyChanged { __typename ... on ItemChanged { item { name } } } }"

  @Test func `after the last event they had, in order, also over a restart, and then live`() async throws {
    let directory = try TemporaryDirectory()
    var position = ""
    var token: String?
    try await TestServer.run(in: directory) { server in
      let ada = try await Household(on: server)
      token = ada.parent.token
      let device = try await Listener.open(server.port, ada.parent, Self.items).listening()
      _ = try await ada.addItem("Seen")
      let event = try await device.next()
      #expect(event["data.familyChanged.item.name"] == "Seen")
      position = try #require(event["extensions.position"].string)
      // More than are read at once.
      for number in 1...150 { _ = try await ada.addItem("Item \(number)") }
    }
    try await TestServer.run(in: directory) { server in
      let parent = Client(port: server.port, token: token)
      let device = try await Listener.open(server.port, parent, Self.items, after: position)
      for number in 1...150 {
        let event = try await device.next()
        #expect(event["data.familyChanged.item.name"] == .string("Item \(number)"))
        #expect(event["extensions.replayed"] == .null)
      }
      _ = try await parent.perform(Documents.addItem, ["input": ["name": "Live"]])
      #expect(try await device.next()["data.familyChanged.item.name"] == "Live")
    }
  }

  @Test func `from where they stood when they came, where there has been no event for them yet`() async throws {
    let directory = try TemporaryDirectory()
    var positions: [String] = []
    var token: String?
    try await TestServer.run(in: directory) { server in
      let ada = try await Household(on: server)
      token = ada.parent.token
      let device = try await Listener.open(server.port, ada.parent, Self.items).listening()
      positions.append(try #require(device.position))
      positions.append(try await EventStream.open(server.port, ada.parent, Self.items).position())
    }
    try await TestServer.run(in: directory) { server in
      let parent = Client(port: server.port, token: token)
      _ = try await parent.perform(Documents.addItem, ["input": ["name": "Meanwhile"]])
      let device = try await Listener.open(server.port, parent, Self.items, after: positions[0])
      #expect(try await device.next()["data.familyChanged.item.name"] == "Meanwhile")
      let stream = try await EventStream.open(server.port, parent, Self.items, after: positions[1])
      // The client learns that it is connected before the next event, and its position stays.
      #expect(try await stream.position() == positions[1])
      #expect(try await stream.next()["data.familyChanged.item.name"] == "Meanwhile")
    }
  }

  @Test func `an item that was deleted in the meantime is reported as removed`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let item = try await ada.addItem("Tent")
      _ = try await ada.parent.perform(Documents.removeItem, ["id": .string(item)])
      let device = try await Listener.open(server.port, ada.parent, Self.items, after: "0")
      for _ in 0..<2 {
        #expect(try await device.next()["data.familyChanged"] == ["__typename": "ItemRemoved"])
      }
    }
  }

  @Test func `events that are no longer stored are a gap, and never skipped silently`() async throws {
    let directory = try TemporaryDirectory()
    var position = ""
    var refreshToken = ""
    try await TestServer.run(in: directory) { server in
      let ada = try await Household(on: server)
      refreshToken = ada.refreshToken
      let device = try await Listener.open(server.port, ada.parent, Self.items).listening()
      _ = try await ada.addItem("Seen")
      position = try #require(try await device.next()["extensions.position"].string)
      _ = try await ada.addItem("Missed")
    }
    try await TestServer.run(in: directory, startingLater: 8 * 86_400) { server in
      await server.clock.whenSomebodySleeps(until: server.clock.clock.now() + 3_600_000)
      let refreshed = try await server.visitor.perform(Documents.refresh, ["token": .string(refreshToken)])
      let token: String = try #require(refreshed["credentials.accessToken"].string)
      let parent = server.visitor.with(token: token)
      let late = try await Listener.open(server.port, parent, Self.items, after: position)
      #expect(try await late.rejection() == "FEED_GAP")
      let device = try await Listener.open(server.port, parent, Self.items).listening()
      _ = try await parent.perform(Documents.addItem, ["input": ["name": "New"]])
      #expect(try await device.next()["data.familyChanged.item.name"] == "New")
    }
  }

  @Test func `the newest events of a family are kept, and its losses are not gaps of another family`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let other = try await Household(on: server, email: "other@example.com")
      var positions: [String] = []
      for household in [ada, other] {
        let device = try await Listener.open(server.port, household.parent, Self.items).listening()
        _ = try await household.addItem("Seen")
        positions.append(try #require(try await device.next()["extensions.position"].string))
        _ = try await household.addItem("Missed")
      }
      let family = try server.rows("SELECT family_id FROM family_event ORDER BY position LIMIT 1", columns: 1)[0][0]
      let item = try server.rows("SELECT id FROM item WHERE family_id = \(family) LIMIT 1", columns: 1)[0][0]
      try await server.services.database.write { transaction in
        let (family, item) = (GlobalID(rawValue: family), GlobalID(rawValue: item))
        let write = DatedWrite(at: Timestamp(1_795_248_000_000), in: transaction).inFamily(family)
        for _ in 0..<FeedWindow.maximumCount + FeedWindow.tolerance {
          write.record(.itemChanged, subject: item)
        }
      }
      let kept = "SELECT count(*), (SELECT count FROM family_feed WHERE family_id = \(family)) FROM family_event"
      let counts = try server.rows("\(kept) WHERE family_id = \(family)", columns: 2)[0]
      #expect(counts[0] == counts[1])
      #expect(counts[0] >= FeedWindow.maximumCount && counts[0] < FeedWindow.maximumCount + FeedWindow.tolerance)
      let late = try await Listener.open(server.port, ada.parent, Self.items, after: positions[0])
      #expect(try await late.rejection() == "FEED_GAP")
      let device = try await Listener.open(server.port, other.parent, Self.items, after: positions[1])
      #expect(try await device.next()["data.familyChanged.item.name"] == "Missed")
    }
  }

  @Test(arguments: [("nonsense", "BAD_USER_INPUT"), ("-1", "BAD_USER_INPUT"), ("9000000000", "FEED_GAP")])
  func `an unknown position is rejected`(position: String, code: Value) async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let device = try await Listener.open(server.port, ada.parent, Self.items, after: position)
      #expect(try await device.rejection() == code)
    }
  }

  @Test func `a member who moved to another family cannot resume from before that`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let grace = try await Household(on: server, email: FamilyInvitationTests.guest)
      _ = try await ada.addItem("Before")
      var device = try await Listener.open(server.port, grace.parent, Self.items).listening()
      _ = try await grace.addItem("Grace's")
      let before = try #require(try await device.next()["extensions.position"].string)
      // Neither theirs nor known to them.
      _ = try await ada.addItem("Meanwhile")
      _ = try await ada.parent.perform(Documents.inviteParent, ["email": .string(grace.email)])
      let token = Value.string(try await server.mail(to: grace.email, about: "invites").token)
      try await grace.verifyEmail(on: server)
      #expect(try await grace.parent.perform(Documents.acceptInvitation, ["token": token]).userErrors.isEmpty)
      for position in [before, "0"] {
        let late = try await Listener.open(server.port, grace.parent, Self.items, after: position)
        #expect(try await late.rejection() == "FEED_GAP")
      }
      // Earlier members miss nothing of it.
      let parent = try await Listener.open(server.port, ada.parent, Self.items, after: before)
      // The second event is that of the invitation.
      for name: Value in ["Meanwhile", nil, "Grace's"] {
        #expect(try await parent.next()["data.familyChanged.item.name"] == name)
      }
      device = try await Listener.open(server.port, grace.parent, Self.items).listening()
      _ = try await ada.addItem("Theirs")
      let theirs = try await device.next()
      #expect(theirs["data.familyChanged.item.name"] == "Theirs")
      _ = try await ada.addItem("Next")
      let after = try #require(theirs["extensions.position"].string)
      let again = try await Listener.open(server.port, grace.parent, Self.items, after: after)
      #expect(try await again.next()["data.familyChanged.item.name"] == "Next")
    }
  }
}
