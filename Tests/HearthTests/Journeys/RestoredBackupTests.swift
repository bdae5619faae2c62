import TestSupport
import Testing

@testable import Hearth

@Suite("Clients of a server whose data was restored from a backup")
struct RestoredBackupTests {
  private static let items = "subscription { familyChanged { __typename ... on ItemChanged { item { name } } } }"
  private static let notifications =
    "subscription { notificationReceived { ... on ReminderNotification { reminder { id } } } }"

  @Test func `a resume position from after the backup is a gap, however many events were recorded since`() async throws
  {
    let directory = try TemporaryDirectory()
    let backup = try DataBackup(of: directory.path)
    var (before, lost) = ("", "")
    try await TestServer.run(in: directory) { server in
      let ada = try await Household(on: server)
      let device = try await Listener.open(server.port, ada.parent, Self.items).listening()
      before = try await position(ofItem: "Kept", addedBy: ada.parent, device)
      try await backup.make()
      lost = try await position(ofItem: "Lost", addedBy: ada.parent, device)
    }
    try await backup.restore()
    try await TestServer.run(in: directory) { server in
      let parent = server.visitor.with(token: try await signIn("ada@example.com", on: server))
      let device = try await Listener.open(server.port, parent, Self.items).listening()
      let first = try await position(ofItem: "New", addedBy: parent, device)
      _ = try await position(ofItem: "Newer", addedBy: parent, device)
      for position in [before, lost] {
        let late = try await Listener.open(server.port, parent, Self.items, after: position)
        #expect(try await late.rejection() == "FEED_GAP")
      }
      let resumed = try await Listener.open(server.port, parent, Self.items, after: first)
      #expect(try await resumed.next()["data.familyChanged.item.name"] == "Newer")
    }
  }

  /// Ada's account has events before the backup, and Grace's has none.
  @Test func `a resume position of an account from before the restore is a gap`() async throws {
    let directory = try TemporaryDirectory()
    let backup = try DataBackup(of: directory.path)
    let emails = ["ada@example.com", "grace@example.com"]
    var positions: [[String]] = [[], []]
    try await TestServer.run(in: directory) { server in
      let households = [try await Household(on: server), try await Household(on: server, email: emails[1])]
      let devices = [
        try await Listener.open(server.port, households[0].parent, AccountEventTests.changes).listening(),
        try await Listener.open(server.port, households[1].parent, AccountEventTests.changes).listening(),
      ]
      positions[1].append(try #require(devices[1].position))
      positions[0].append(try await position(ofChangeBy: households[0].parent, devices[0]))
      try await backup.make()
      for number in 0...1 {
        positions[number].append(try await position(ofChangeBy: households[number].parent, devices[number]))
      }
    }
    try await backup.restore()
    try await TestServer.run(in: directory) { server in
      for (email, positions) in zip(emails, positions) {
        let parent = server.visitor.with(token: try await signIn(email, on: server))
        for isFirst in [true, false] {
          for position in positions {
            let late = try await Listener.open(server.port, parent, AccountEventTests.changes, after: position)
            #expect(try await late.rejection() == "FEED_GAP", "\(email)")
          }
          guard isFirst else { continue }
          let device = try await Listener.open(server.port, parent, AccountEventTests.changes).listening()
          let first = try await position(ofChangeBy: parent, device)
          _ = try await position(ofChangeBy: parent, device)
          let resumed = try await Listener.open(server.port, parent, AccountEventTests.changes, after: first)
          #expect(try await resumed.next()["data.accountChanged.__typename"] == "AccountChanged")
        }
      }
    }
  }

  @Test func `notifications since the restore are received after any resume position`() async throws {
    let directory = try TemporaryDirectory()
    let backup = try DataBackup(of: directory.path)
    var household: Household?
    var chore = ""
    var positions: [String] = []
    try await TestServer.run(in: directory) { server in
      let ada = try await Household(on: server)
      household = ada
      chore = try await ada.addChore()
      let device = try await Listener.open(server.port, ada.parent, Self.notifications).listening()
      for second in [10, 20] {
        _ = try await ada.setReminder(of: chore, at: "2026-11-21T08:00:\(second)Z")
        server.clock.advance(seconds: 10)
        positions.append(try #require(try await device.next()["extensions.position"].string))
        // Without the second notification.
        if second == 10 { try await backup.make() }
      }
    }
    try await backup.restore()
    try await TestServer.run(in: directory, startingLater: 60) { server in
      let parent = server.visitor.with(token: try await signIn("ada@example.com", on: server))
      let ada = Household(try #require(household), parent: parent)
      let device = try await Listener.open(server.port, parent, Self.notifications).listening()
      let reminder = try await ada.setReminder(of: chore, at: "2026-11-21T08:01:10Z")
      server.clock.advance(seconds: 10)
      #expect(try await device.next()["data.notificationReceived.reminder.id"] == .string(reminder))
      for position in positions {
        let late = try await Listener.open(server.port, parent, Self.notifications, after: position)
        #expect(try await late.next()["data.notificationReceived.reminder.id"] == .string(reminder))
      }
    }
  }

  @Test func `the token of a session from after the backup does not become that of somebody else`() async throws {
    let directory = try TemporaryDirectory()
    let backup = try DataBackup(of: directory.path)
    var lost = ""
    try await TestServer.run(in: directory) { server in
      _ = try await Household(on: server)
      _ = try await Household(on: server, email: "grace@example.com")
      try await backup.make()
      lost = try await signIn("ada@example.com", on: server)
    }
    try await backup.restore()
    try await TestServer.run(in: directory) { server in
      _ = try await signIn("grace@example.com", on: server)
      let viewer = try await server.visitor.with(token: lost).post("{ viewer { __typename } }")
      #expect(viewer.codes == ["TOKEN_REVOKED"])
    }
  }

  @Test func `a second restore of the same backup uses none of the numbers of the first`() async throws {
    let directory = try TemporaryDirectory()
    let backup = try DataBackup(of: directory.path)
    var (lost, lostPosition) = ("", "")
    try await TestServer.run(in: directory) { server in
      _ = try await Household(on: server)
      _ = try await Household(on: server, email: "grace@example.com")
      try await backup.make()
    }
    try await backup.restore()
    try await TestServer.run(in: directory) { server in
      lost = try await signIn("ada@example.com", on: server)
      let parent = server.visitor.with(token: lost)
      let device = try await Listener.open(server.port, parent, Self.items).listening()
      lostPosition = try await position(ofItem: "Lost", addedBy: parent, device)
    }
    try await backup.restore()
    try await TestServer.run(in: directory) { server in
      _ = try await signIn("grace@example.com", on: server)
      let viewer = try await server.visitor.with(token: lost).post("{ viewer { __typename } }")
      #expect(viewer.codes == ["TOKEN_REVOKED"])
      let parent = server.visitor.with(token: try await signIn("ada@example.com", on: server))
      let device = try await Listener.open(server.port, parent, Self.items).listening()
      for name in ["New", "Newer"] { _ = try await position(ofItem: name, addedBy: parent, device) }
      let late = try await Listener.open(server.port, parent, Self.items, after: lostPosition)
      #expect(try await late.rejection() == "FEED_GAP")
    }
  }

  /// The access token of a new session.
  private func signIn(_ email: String, on server: TestServer) async throws -> String {
    let input: Value = ["email": .string(email), "password": .string(Household.password)]
    let signedIn = try await server.visitor.perform(Documents.signIn, ["input": input])
    return try #require(signedIn["credentials.accessToken"].string)
  }

  private func position(ofChangeBy parent: Client, _ device: Listener) async throws -> String {
    _ = try await parent.perform(Documents.updateAccount, ["input": ["phone": "+1 617 555 0123"]])
    return try #require(try await device.next()["extensions.position"].string)
  }

  private func position(ofItem name: String, addedBy parent: Client, _ device: Listener) async throws -> String {
    _ = try await parent.perform(Documents.addItem, ["input": ["name": .string(name)]])
    return try #require(try await device.next()["extensions.position"].string)
  }
}
