import Storage
import TestSupport
import Testing

@testable import Hearth

@Suite("Changes of an account reach the devices of its owner", .timeLimit(.minutes(10)))
struct AccountEventTests {
  static let changes = """
    subscription { accountChanged { __typename \
    ... on AccountChanged { viewer { ... on Account { phone } ... on Child { name } } } \
    ... on NotificationsRead { viewer { ... on Account { unread: unreadNotificationCount } \
    ... on Child { unreadOfChild: unreadNotificationCount } } } \
    ... on ContactChanged { contact { id person { name } sharing sharedWithViewer } } \
    ... on ContactRemoved { contactId } \
    ... on ContactRequestChanged { contactRequest { id from { name } to { name } invitedEmail } } \
    ... on ContactRequestRemoved { contactRequestId } \
    ... on GroupChanged { group { id viewerRole viewerJoinRequest { person { name } } } } \
    ... on GroupRemoved { groupId } } }
    """

  /// The devices of two people who have to do with each other.
  private struct Devices {
    let ada: Listener
    let ben: Listener

    /// Performs an action, and compares the types of the events that it causes. A further event fails the next step.
    func step(
      _ name: String,
      ada adas: [Value] = [],
      ben bens: [Value] = [],
      _ action: () async throws -> Outcome
    ) async throws {
      let outcome = try await action()
      #expect(outcome.userErrors == [] && outcome.errors == .null, "\(name): \(outcome)")
      try await receive(name, ada: adas, ben: bens)
    }

    func receive(_ name: String, ada adas: [Value] = [], ben bens: [Value] = []) async throws {
      for (listener, expected) in [(ada, adas), (ben, bens)] {
        for type in expected {
          let event = try await listener.next()
          #expect(event["data.accountChanged.__typename"] == type, "\(name): \(event)")
          #expect(event["extensions.position"].string != nil, "\(name): \(event)")
        }
      }
    }
  }

  private static func listen(_ household: Household, on server: TestServer) async throws -> Listener {
    try await Listener.open(server.port, household.parent, changes).listening()
  }

  private static func phone(_ household: Household, _ number: String = "+1 617 555 0123") async throws -> Outcome {
    try await household.parent.perform(Documents.updateAccount, ["input": ["phone": .string(number)]])
  }

  private static func people(on server: TestServer) async throws -> (ada: Household, ben: Household, Devices) {
    let ada = try await Household("Ada Lovelace", on: server)
    let ben = try await Household("Ben Babbage", on: server)
    let devices = Devices(ada: try await listen(ada, on: server), ben: try await listen(ben, on: server))
    return (ada, ben, devices)
  }

  // MARK: Every mutation

  @Test func `each change of one's own profile and settings is an event`() async throws {
    try await TestServer.run { server in
      let (ada, _, devices) = try await Self.people(on: server)
      let changed: [Value] = ["AccountChanged"]
      try await devices.step("account", ada: changed) { try await Self.phone(ada) }
      let profile: Value = ["input": ["hometown": "London"]]
      try await devices.step("profile", ada: changed) {
        try await ada.parent.perform(Documents.updateProfile, profile)
      }
      let email: Value = ["email": "new.ada@example.com", "password": .string(Household.password)]
      try await devices.step("new address", ada: changed) {
        try await ada.parent.perform(D14AccountManagementTests.changeEmail, email)
      }
      let token = try await server.mail(to: "new.ada@example.com", about: "new e-mail").token
      try await devices.step("confirmed address", ada: changed) {
        try await server.visitor.perform(D14AccountManagementTests.confirm, ["token": .string(token)])
      }
      let settings: Value = ["input": ["quietHours": ["from": "22:00", "until": "07:30"]]]
      try await devices.step("settings", ada: changed) {
        try await ada.parent.perform(Documents.updateNotificationSettings, settings)
      }
      let info = try await ada.addInfo("WORK", ["email": "work@example.com"])["id"]
      try await devices.receive("contact detail", ada: changed)
      try await devices.step("changed detail", ada: changed) {
        try await ada.parent.perform(Documents.updateContactInfo, ["id": info, "scope": "PERSONAL"])
      }
      try await devices.step("removed detail", ada: changed) {
        try await ada.parent.perform(Documents.removeContactInfo, ["id": info])
      }
      let twice = try await ada.parent.perform(Documents.removeContactInfo, ["id": info])
      #expect(twice.userErrors == ["id NOT_FOUND"])
      try await devices.step("the last", ada: changed) { try await Self.phone(ada) }
    }
  }

  @Test func `each change between two people is an event for both, and a rejected mutation for none`() async throws {
    try await TestServer.run { server in
      let (ada, ben, devices) = try await Self.people(on: server)
      let request: [Value] = ["ContactRequestChanged"]
      let ended: [Value] = ["ContactRequestRemoved"]
      var open: Value = nil
      func ask(_ one: Household, _ other: Household) async throws {
        open = .string(try await one.request(other))
        try await devices.receive("request", ada: request, ben: request)
      }
      try await ask(ada, ben)
      try await devices.step("read", ben: ["NotificationsRead"]) { try await ben.parent.perform(Documents.markRead) }
      try await devices.step("nothing to read") { try await ben.parent.perform(Documents.markRead) }
      try await devices.step("cancelled", ada: ended, ben: ended) {
        try await ada.parent.perform(Documents.cancelRequest, ["id": open])
      }
      let cancelled = try await ben.parent.perform(Documents.acceptContact, ["id": open, "share": []])
      #expect(cancelled.userErrors == ["requestId NOT_FOUND"])
      try await ask(ada, ben)
      try await devices.step("rejected", ada: ended, ben: ended) {
        try await ben.parent.perform(Documents.rejectContact, ["id": open])
      }
      let again: Value = ["id": .string(ben.personID), "offer": []]
      #expect(try await ada.parent.perform(Documents.requestContact, again).userErrors == ["personId NOT_ALLOWED"])
      try await ask(ben, ada)
      try await devices.step("accepted", ada: ended + ["ContactChanged"], ben: ended + ["ContactChanged"]) {
        try await ada.parent.perform(Documents.acceptContact, ["id": open, "share": ["WORK"]])
      }
      let contacts = try await ada.parent.ask(Documents.contacts)["data.viewer.contacts.nodes"]
      let sharing: Value = ["id": contacts["0.id"], "scopes": ["PERSONAL"]]
      try await devices.step("sharing", ada: ["ContactChanged"], ben: ["ContactChanged"]) {
        try await ada.parent.perform(Documents.setSharing, sharing)
      }
      try await devices.step("the same sharing", ada: [], ben: []) {
        try await ada.parent.perform(Documents.setSharing, sharing)
      }
      let others = try await ben.parent.ask(Documents.contacts)["data.viewer.contacts.nodes"]
      try await devices.step("removed", ada: ["ContactRemoved"], ben: ["ContactRemoved"]) {
        try await ben.parent.perform(Documents.removeContact, ["id": others["0.id"]])
      }
      let address: Value = ["email": "carole@example.com", "offer": []]
      for events in [request, []] {
        try await devices.step("invited", ada: events) {
          try await ada.parent.perform(Documents.inviteContact, address)
        }
      }
      // The owner of the address receives it as a request.
      let carole = try await Household(on: server, email: "carole@example.com", name: "Carole King")
      try await carole.verifyEmail(on: server)
      try await devices.receive("delivered", ada: request)
      for household in [ada, ben] { #expect(try await Self.phone(household).userErrors == []) }
      try await devices.receive("the last", ada: ["AccountChanged"], ben: ["AccountChanged"])
    }
  }

  @Test func `each change of one's standing in a group is an event`() async throws {
    try await TestServer.run { server in
      let (ada, ben, devices) = try await Self.people(on: server)
      let (changed, removed): ([Value], [Value]) = (["GroupChanged"], ["GroupRemoved"])
      let group = try await ada.createGroup("Analysts")
      try await devices.receive("created", ada: changed)
      try await devices.step("invited", ben: changed) { try await ada.invite([ben], to: group) }
      try await devices.step("declined", ben: removed) { try await ben.leave(group) }
      try await devices.step("joined", ben: changed) { try await ben.join(group) }
      try await devices.step("admin", ben: changed) { try await ada.setRole("ADMIN", of: ben, in: group) }
      try await devices.step("left", ben: removed) { try await ben.leave(group) }
      try await devices.step("changed", ada: changed) { try await ada.setAccess("BY_REQUEST", of: group) }
      try await devices.step("asked", ben: changed) { try await ben.join(group) }
      try await devices.step("withdrawn", ben: removed) { try await ben.leave(group) }
      for (answer, events) in [(Documents.rejectJoinRequest, removed), (Documents.acceptJoinRequest, changed)] {
        let request = try await ben.askToJoin(group)
        try await devices.receive("asked", ben: changed)
        try await devices.step("answered", ben: events) { try await ada.answer(request, answer) }
        guard events == removed else { continue }
        #expect(try await ben.join(group).userErrors == ["groupId NOT_ALLOWED"])
        // An invitation ends the effect of the rejection once it is accepted.
        try await devices.step("invited", ben: changed) { try await ada.invite([ben], to: group) }
        try await devices.step("joined", ben: changed) { try await ben.join(group) }
        try await devices.step("left", ben: removed) { try await ben.leave(group) }
      }
      try await devices.step("removed", ben: removed) { try await ada.removeMember(ben, from: group) }
      try await devices.step("invited", ben: changed) { try await ada.invite([ben], to: group) }
      try await devices.step("joined", ben: changed) { try await ben.join(group) }
      try await devices.step("succeeded", ada: removed, ben: changed) { try await ada.leave(group) }
      try await devices.step("deleted", ben: removed) {
        try await ben.parent.perform(Documents.deleteGroup, ["id": .string(group)])
      }
      for household in [ada, ben] { #expect(try await Self.phone(household).userErrors == []) }
      try await devices.receive("the last", ada: ["AccountChanged"], ben: ["AccountChanged"])
    }
  }

  // MARK: What an event shows

  @Test func `an event shows what its receiver sees, at the moment of the delivery`() async throws {
    try await TestServer.run { server in
      let (ada, ben, devices) = try await Self.people(on: server)
      let request = try await ada.request(ben, offering: ["WORK"])
      let asked: Value = [
        "id": .string(request), "from": ["name": "Ada Lovelace"], "to": ["name": "Ben Babbage"], "invitedEmail": nil,
      ]
      for device in [devices.ada, devices.ben] {
        #expect(try await device.next()["data.accountChanged.contactRequest"] == asked)
      }
      #expect(try await ben.parent.perform(Documents.markRead).userErrors == [])
      #expect(try await devices.ben.next()["data.accountChanged.viewer.unread"] == 0)
      let accept: Value = ["id": .string(request), "share": ["PERSONAL"]]
      let contact = try await ben.parent.perform(Documents.acceptContact, accept)["contact.id"]
      let bens: Value = [
        "id": contact, "person": ["name": "Ada Lovelace"], "sharing": ["PERSONAL"], "sharedWithViewer": ["WORK"],
      ]
      for device in [devices.ada, devices.ben] {
        #expect(try await device.next()["data.accountChanged.contactRequestId"] == .string(request))
      }
      #expect(try await devices.ben.next()["data.accountChanged.contact"] == bens)
      let adas = try await devices.ada.next()["data.accountChanged.contact"]
      #expect(adas["sharing"] == ["WORK"] && adas["sharedWithViewer"] == ["PERSONAL"] && adas["id"] != contact)
      #expect(try await ada.parent.perform(Documents.removeContact, ["id": adas["id"]]).userErrors == [])
      #expect(try await devices.ben.next()["data.accountChanged.contactId"] == contact)
      // A device that was away: the contact and the request are gone.
      let late = try await Listener.open(server.port, ben.parent, Self.changes, after: "0")
      let ended: Value = ["__typename": "ContactRequestRemoved", "contactRequestId": .string(request)]
      let removed: Value = ["__typename": "ContactRemoved", "contactId": contact]
      #expect(try await late.next()["data.accountChanged"] == ended)
      #expect(try await late.next()["data.accountChanged.__typename"] == "NotificationsRead")
      for event in [ended, removed, removed] { #expect(try await late.next()["data.accountChanged"] == event) }
    }
  }

  @Test func `a child receives the changes of its own settings and notifications only`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let ids = [
        try await ada.addChild("Mia", username: "mia"), try await ada.addChild("Zoë", username: "zoe"),
      ]
      let (mia, zoe) = (try await ada.signIn("mia"), try await ada.signIn("zoe"))
      let device = try await Listener.open(server.port, mia.another, Self.changes).listening()
      let other = try await Listener.open(server.port, zoe, Self.changes).listening()
      let chore = try await ada.addChore("Feed the cat", for: ids)
      #expect(try await mia.perform(Documents.finishChore, ["id": .string(chore)]).userErrors == [])
      let approve: Value = ["input": ["id": .string(chore)]]
      #expect(try await ada.parent.perform(Documents.approveChore, approve).userErrors == [])
      #expect(try await mia.perform(Documents.markRead).userErrors == [])
      let read: Value = ["__typename": "NotificationsRead", "viewer": ["unreadOfChild": 0]]
      #expect(try await device.next()["data.accountChanged"] == read)
      let settings: Value = ["input": ["muted": []]]
      for client in [mia, zoe] {
        #expect(try await client.perform(Documents.updateNotificationSettings, settings).userErrors == [])
      }
      #expect(try await device.next()["data.accountChanged.viewer.name"] == "Mia")
      #expect(try await other.next()["data.accountChanged.viewer.name"] == "Zoë")
    }
  }

  // MARK: Resuming

  @Test func `a device resumes after the last event that it had, also over a restart`() async throws {
    let directory = try TemporaryDirectory()
    var position = ""
    var tokens: [String?] = []
    var group = ""
    try await TestServer.run(in: directory) { server in
      let (ada, ben, devices) = try await Self.people(on: server)
      tokens = [ada.parent.token, ben.parent.token]
      group = try await ada.createGroup("Analysts")
      position = try #require(try await devices.ada.next()["extensions.position"].string)
      // More than are read at once.
      for number in 100...150 { #expect(try await Self.phone(ada, "+1 617 555 0\(number)").userErrors == []) }
      _ = try await ben.request(ada)
    }
    try await TestServer.run(in: directory) { server in
      let clients = tokens.map { server.visitor.with(token: $0) }
      let device = try await Listener.open(server.port, clients[0], Self.changes, after: position)
      for _ in 100...150 {
        let event = try await device.next()["data.accountChanged"]
        #expect(event == ["__typename": "AccountChanged", "viewer": ["phone": "+1 617 555 0150"]])
      }
      #expect(try await device.next()["data.accountChanged.contactRequest.from.name"] == "Ben Babbage")
      #expect(try await clients[1].perform(Documents.joinGroup, ["id": .string(group)]).userErrors == [])
      #expect(try await clients[0].perform(Documents.leaveGroup, ["id": .string(group)]).userErrors == [])
      let left: Value = ["__typename": "GroupRemoved", "groupId": .string(group)]
      #expect(try await device.next()["data.accountChanged"] == left)
    }
  }

  @Test func `missed events that are no longer kept are a gap, and those of the family are not`() async throws {
    let directory = try TemporaryDirectory()
    let items = "subscription { familyChanged { __typename ... on ItemChanged { item { name } } } }"
    var positions: [String] = []
    var refreshTokens: [String] = []
    try await TestServer.run(in: directory) { server in
      let (ada, ben, devices) = try await Self.people(on: server)
      refreshTokens = [ada.refreshToken, ben.refreshToken]
      for (household, device) in [(ada, devices.ada), (ben, devices.ben)] {
        _ = try await Self.phone(household)
        positions.append(try #require(try await device.next()["extensions.position"].string))
        _ = try await household.addItem("Missed")
      }
      _ = try await Self.phone(ada)
    }
    try await TestServer.run(in: directory, startingLater: 8 * 86_400) { server in
      await server.clock.whenSomebodySleeps(until: server.clock.clock.now() + 3_600_000)
      var clients: [Client] = []
      for token in refreshTokens {
        let refreshed = try await server.visitor.perform(Documents.refresh, ["token": .string(token)])
        let accessToken: String = try #require(refreshed["credentials.accessToken"].string)
        clients.append(server.visitor.with(token: accessToken))
      }
      let (ada, ben) = (clients[0], clients[1])
      #expect(try await Listener.open(server.port, ada, Self.changes, after: positions[0]).rejection() == "FEED_GAP")
      #expect(try await Listener.open(server.port, ben, items, after: positions[1]).rejection() == "FEED_GAP")
      let device = try await Listener.open(server.port, ben, Self.changes, after: positions[1]).listening()
      let phone: Value = ["input": ["phone": "+1 617 555 0188"]]
      #expect(try await ben.perform(Documents.updateAccount, phone).userErrors == [])
      #expect(try await device.next()["data.accountChanged.viewer.phone"] == "+1 617 555 0188")
    }
  }

  @Test func `a person takes their events along to another family, and a removed child does not`() async throws {
    try await TestServer.run { server in
      let ada = try await Household("Ada Lovelace", on: server)
      let grace = try await Household("Grace Hopper", on: server)
      let tim = try await grace.addChild("Tim", username: "tim")
      let settings: Value = ["input": ["muted": []]]
      let child = try await grace.signIn("tim")
      #expect(try await child.perform(Documents.updateNotificationSettings, settings).userErrors == [])
      let key = try #require(server.services.cipher.key(of: tim)).rawValue
      let stored = """
        SELECT (SELECT count(*) FROM family_event WHERE family_id = \(key)), \
        (SELECT count(*) FROM family_feed WHERE family_id = \(key))
        """
      #expect(try server.rows(stored, columns: 2) == [[1, 1]])
      #expect(try await grace.parent.perform(Documents.removeChild, ["id": .string(tim)]).userErrors == [])
      let device = try await Self.listen(grace, on: server)
      _ = try await Self.phone(grace)
      let before = try #require(try await device.next()["extensions.position"].string)
      try await ada.admit(grace, on: server)
      #expect(try server.rows(stored, columns: 2) == [[0, 0]])
      // The position is one of the other family.
      let late = try await Listener.open(server.port, grace.parent, Self.changes, after: before)
      #expect(try await late.rejection() == "FEED_GAP")
      let again = try await Self.listen(grace, on: server)
      _ = try await Self.phone(grace)
      let position = try #require(try await again.next()["extensions.position"].string)
      _ = try await ada.request(grace)
      let resumed = try await Listener.open(server.port, grace.parent, Self.changes, after: position)
      #expect(try await resumed.next()["data.accountChanged.contactRequest.from.name"] == "Ada Lovelace")
    }
  }

  @Test func `the newest events of an account are kept`() async throws {
    try await TestServer.run { server in
      let (ada, _, devices) = try await Self.people(on: server)
      _ = try await Self.phone(ada)
      let position = try #require(try await devices.ada.next()["extensions.position"].string)
      _ = try await Self.phone(ada)
      let person = try #require(server.services.cipher.key(of: ada.personID))
      try await server.services.database.write { transaction in
        // Each is another event, because the time is a part of it.
        for time in 0..<FeedWindow.maximumCount + FeedWindow.tolerance {
          DatedWrite(at: Timestamp(1_795_248_000_000 + time), in: transaction).recordChange(ofAccount: person)
        }
      }
      let own = "family_id = \(person.rawValue)"
      let kept = "SELECT count(*), (SELECT count FROM family_feed WHERE \(own)) FROM family_event WHERE \(own)"
      let counts = try server.rows(kept, columns: 2)[0]
      #expect(counts[0] == counts[1])
      #expect(counts[0] >= FeedWindow.maximumCount && counts[0] < FeedWindow.maximumCount + FeedWindow.tolerance)
      let late = try await Listener.open(server.port, ada.parent, Self.changes, after: position)
      #expect(try await late.rejection() == "FEED_GAP")
    }
  }
}
