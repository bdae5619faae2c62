import TestSupport
import Testing

@testable import Hearth

@Suite("A6: live dashboard", .timeLimit(.minutes(20)))
struct A06LiveDashboardTests {
  static let changes = """
    subscription { familyChanged { __typename ... on ChildChanged { child { id name points } } \
    ... on ChildRemoved { childId } ... on ChoreChanged { chore { id name status } } ... on ChoreRemoved { choreId } \
    ... on PointsAssigned { child { points } finishedChores { points } } \
    ... on ContractChanged { contract { id active } } ... on ItemChanged { item { id name } } \
    ... on ItemRemoved { itemId } } }
    """

  @Test func `a child that is removed on one device disappears on every other, on any loop`() async throws {
    try await TestServer.run(loops: 2) { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia")
      var devices: [Listener] = []
      for _ in 0..<4 {
        devices.append(try await Listener.open(server.port, ada.parent, Self.changes).listening())
      }
      #expect(try await ada.parent.perform(Documents.removeChild, ["id": .string(mia)]).userErrors == [])
      for device in devices {
        let event = try await device.next()
        #expect(event["data.familyChanged"] == ["__typename": "ChildRemoved", "childId": .string(mia)])
        #expect(event["extensions.replayed"] == .null)
      }
    }
  }

  @Test func `every change in a family is an event of that family only`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let other = try await Household(on: server, email: "other@example.com")
      let device = try await Listener.open(server.port, ada.parent, Self.changes).listening()
      func nextChange() async throws -> Value { try await device.next()["data.familyChanged"] }

      _ = try await other.addChild("Zoë")
      let mia = try await ada.addChild("Mia")
      var child: Value = ["id": .string(mia), "name": "Mia", "points": 0]
      #expect(try await nextChange() == ["__typename": "ChildChanged", "child": child])
      let chore = try await ada.addChore("Feed the cat", for: [mia])
      var now: Value = ["id": .string(chore), "name": "Feed the cat", "status": "OPEN"]
      #expect(try await nextChange() == ["__typename": "ChoreChanged", "chore": now])
      let contract = try await ada.makeContract(with: mia)
      let made: Value = ["id": .string(contract), "active": true]
      #expect(try await nextChange() == ["__typename": "ContractChanged", "contract": made])
      #expect(try await nextChange() == ["__typename": "ChildChanged", "child": child])
      _ = try await ada.assign([(chore, 2)], to: mia)
      now = now.setting("status", "DONE")
      #expect(try await nextChange() == ["__typename": "ChoreChanged", "chore": now])
      let points: Value = ["child": ["points": 2], "finishedChores": [["points": 2]]]
      #expect(try await nextChange() == points.setting("__typename", "PointsAssigned"))
      _ = try await ada.parent.perform(Documents.removeChore, ["id": .string(chore)])
      #expect(try await nextChange() == ["__typename": "ChoreRemoved", "choreId": .string(chore)])
      let item = try await ada.addItem("Tent")
      let added: Value = ["id": .string(item), "name": "Tent"]
      #expect(try await nextChange() == ["__typename": "ItemChanged", "item": added])
      _ = try await ada.parent.perform(Documents.removeItem, ["id": .string(item)])
      #expect(try await nextChange() == ["__typename": "ItemRemoved", "itemId": .string(item)])
      child = child.setting("points", 0)
      _ = try await ada.parent.perform(Documents.removeChild, ["id": .string(mia)])
      #expect(try await nextChange() == ["__typename": "ChildRemoved", "childId": .string(mia)])
    }
  }

  @Test func `what replaces, answers or renames something is an event of it`() async throws {
    let changes = """
      subscription { familyChanged { __typename ... on ContractChanged { contract { id active } } \
      ... on ChoreChanged { chore { reminders { status } } } ... on FamilyChanged { family { name timeZone } } \
      ... on ParentChanged { parent { name company } } } }
      """
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia")
      let chore = try await ada.addChore(for: [mia])
      let first = try await ada.makeContract(with: mia)
      let device = try await Listener.open(server.port, ada.parent, changes).listening()
      func nextChange() async throws -> Value { try await device.next()["data.familyChanged"] }
      func nextReminders() async throws -> Value {
        let change = try await nextChange()
        #expect(change["__typename"] == "ChoreChanged")
        return change["chore.reminders"]
      }

      let second = try await ada.makeContract(with: mia)
      for (id, isActive) in [(first, false), (second, true)] as [(String, Value)] {
        let contract: Value = ["id": .string(id), "active": isActive]
        #expect(try await nextChange() == ["__typename": "ContractChanged", "contract": contract])
      }
      #expect(try await nextChange() == ["__typename": "ChildChanged"])

      let reminder = try await ada.setReminder(of: chore, at: "2026-11-21T09:00:00Z")
      #expect(try await nextReminders() == [["status": "SCHEDULED"]])
      for (answer, status) in [("SNOOZE_1_DAY", "SCHEDULED"), ("IGNORE", "IGNORED")] as [(Value, Value)] {
        let input: Value = ["id": .string(reminder), "answer": answer]
        _ = try await ada.parent.perform(Documents.answerReminder, ["input": input])
        #expect(try await nextReminders() == [["status": status]])
      }
      _ = try await ada.parent.perform(Documents.removeReminder, ["id": .string(reminder)])
      #expect(try await nextReminders() == [])

      _ = try await ada.parent.perform(
        Documents.updateFamily,
        ["input": ["name": "Byron", "timeZone": "Europe/Paris"]]
      )
      let family: Value = ["name": "Byron", "timeZone": "Europe/Paris"]
      #expect(try await nextChange() == ["__typename": "FamilyChanged", "family": family])
      _ = try await ada.parent.perform(Documents.updateAccount, ["input": ["name": "Ada Byron"]])
      var parent: Value = ["name": "Ada Byron", "company": .null]
      #expect(try await nextChange() == ["__typename": "ParentChanged", "parent": parent])
      let update = #"mutation { updateProfile(input: {company: "Analytical Engines"}) { userErrors { code } } }"#
      #expect(try await ada.parent.ask(update)["errors"] == nil)
      parent = parent.setting("company", "Analytical Engines")
      #expect(try await nextChange() == ["__typename": "ParentChanged", "parent": parent])
    }
  }

  @Test func `invitations, and who waits for confirmation, are events of the family`() async throws {
    let changes = """
      subscription { familyChanged { __typename ... on FamilyChanged { family { invitations { status } } } } }
      """
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let host = try await Household(on: server, email: "host@example.com")
      let lisa = try await Household("Lisa Shoemaker", on: server)
      let device = try await Listener.open(server.port, ada.parent, changes).listening()
      func nextStatuses() async throws -> [Value] {
        let change = try await device.next()["data.familyChanged"]
        #expect(change["__typename"] == "FamilyChanged")
        return change["family.invitations"].each("status")
      }
      func invite(_ email: String, by one: Household) async throws -> (token: Value, id: Value) {
        let invited = try await one.parent.perform(Documents.inviteParent, ["email": .string(email)])
        return (.string(try await server.mail(to: email, about: "invites").token), invited["invitation.id"])
      }

      let (token, id) = try await invite("somebody@example.com", by: ada)
      #expect(try await nextStatuses() == ["SENT"])
      _ = try await lisa.parent.perform(Documents.acceptInvitation, ["token": token])
      #expect(try await nextStatuses() == ["AWAITING_CONFIRMATION"])
      _ = try await lisa.parent.perform(Documents.cancelInvitation, ["id": id])
      #expect(try await nextStatuses() == ["SENT"])
      _ = try await lisa.parent.perform(Documents.acceptInvitation, ["token": token])
      #expect(try await nextStatuses() == ["AWAITING_CONFIRMATION"])
      // A person waits for one family only.
      let other = try await invite("guest@example.com", by: host)
      _ = try await lisa.parent.perform(Documents.acceptInvitation, ["token": other.token])
      #expect(try await nextStatuses() == ["SENT"])
      _ = try await ada.parent.perform(Documents.cancelInvitation, ["id": id])
      #expect(try await nextStatuses() == [])

      let grace = try await Household("Grace Hopper", on: server)
      try await grace.verifyEmail(on: server)
      let last = try await invite(grace.email, by: ada)
      #expect(try await nextStatuses() == ["SENT"])
      _ = try await grace.parent.perform(Documents.acceptInvitation, ["token": last.token])
      #expect(try await device.next()["data.familyChanged.__typename"] == "ParentJoined")
      #expect(try await nextStatuses() == [])
    }
  }

  @Test func `deleted children, and the removal of a parent, are events of the family`() async throws {
    let changes = """
      subscription { familyChanged { __typename ... on FamilyChanged { family { \
      deletedChildren { name } parentRemoval { parent { name } } } } } }
      """
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let grace = try await Household("Grace Hopper", on: server)
      try await ada.admit(grace, on: server)
      let mia = try await ada.addChild("Mia")
      let device = try await Listener.open(server.port, ada.parent, changes).listening()
      func nextChange() async throws -> Value { try await device.next()["data.familyChanged"] }
      let mias: Value = [["name": "Mia"]]
      func change(deleted: Value, removal: Value) -> Value {
        ["__typename": "FamilyChanged", "family": ["deletedChildren": deleted, "parentRemoval": removal]]
      }

      _ = try await ada.parent.perform(Documents.removeChild, ["id": .string(mia)])
      #expect(try await nextChange() == ["__typename": "ChildRemoved"])
      _ = try await ada.deleteChild(mia)
      #expect(try await nextChange() == change(deleted: mias, removal: nil))
      _ = try await ada.parent.perform(Documents.restoreChild, ["id": .string(mia)])
      #expect(try await nextChange() == ["__typename": "ChildChanged"])
      #expect(try await nextChange() == change(deleted: [], removal: nil))
      _ = try await ada.deleteChild(mia)
      #expect(try await nextChange() == ["__typename": "ChildRemoved"])
      #expect(try await nextChange() == change(deleted: mias, removal: nil))

      let removal = try await grace.requestRemoval(of: ada)["removal.id"]
      #expect(try await nextChange() == change(deleted: mias, removal: ["parent": ["name": "Ada Lovelace"]]))
      _ = try await ada.parent.perform(Documents.objectToRemoval, ["id": removal])
      #expect(try await nextChange() == change(deleted: mias, removal: nil))
      // The invitations of a parent end when they leave.
      _ = try await grace.parent.perform(Documents.inviteParent, ["email": "friend@example.com"])
      #expect(try await nextChange() == change(deleted: mias, removal: nil))
      _ = try await grace.parent.perform(Documents.leaveFamily, ["password": .string(Household.password)])
      #expect(try await nextChange() == ["__typename": "ParentLeft"])
      #expect(try await nextChange() == change(deleted: mias, removal: nil))
    }
  }

  @Test func `each device is given urls of where it sees the server`() async throws {
    let changes = "subscription { familyChanged { ... on ChildChanged { child { avatar { url } } } } }"
    try await TestServer.run(loops: 1) { server in
      let ada = try await Household(on: server)
      _ = try await ada.addChild("Mia")
      let hosts = ["home.example", "away.example"]
      var devices: [EventStream] = []
      for host in hosts {
        devices.append(try await EventStream.open(server.port, ada.parent, changes, after: "0", host: host))
        _ = try await devices.last?.next()
      }
      // Both are live when one that began later is.
      _ = try await Listener.open(server.port, ada.parent, changes).listening()
      _ = try await ada.addChild("Ben")
      for (device, host) in zip(devices, hosts) {
        let url = try #require(try await device.next()["data.familyChanged.child.avatar.url"].string)
        #expect(url.hasPrefix("http://\(host)/media/"), "\(url)")
      }
    }
  }

  @Test func `a rejected mutation causes no event`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let device = try await Listener.open(server.port, ada.parent, Self.changes).listening()
      #expect(try await ada.parent.perform(Documents.addItem, ["input": ["name": " "]]).userErrors.count == 1)
      #expect(try await ada.parent.perform(Documents.removeItem, ["id": "nothing"]).userErrors.count == 1)
      let item = try await ada.addItem("Tent")
      #expect(try await device.next()["data.familyChanged.item.id"] == .string(item))
    }
  }

  @Test func `anonymous callers cannot subscribe`() async throws {
    try await TestServer.run { server in
      for subscription in [Self.changes, "subscription { reminderDue { id } }"] {
        let device = try await Listener.open(server.port, server.visitor, subscription)
        #expect(try await device.rejection() == "UNAUTHENTICATED")
      }
    }
  }
}
