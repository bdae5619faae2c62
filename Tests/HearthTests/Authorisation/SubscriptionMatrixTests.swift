import GraphQL
import TestSupport
import Testing

@testable import Hearth

@Suite("Events: every subscription, for every caller", .timeLimit(.minutes(20)))
struct SubscriptionMatrixTests {
  /// The members of the family who receive each; a test fails for missing ones. All others receive only their own
  /// events.
  private static let lines: [String: Set<String>] = [
    "reminderDue": ["parent", "partner", "child"],
    "notificationReceived": ["parent", "partner", "child"],
    "familyChanged": ["parent", "partner", "child"],
    "accountChanged": ["parent", "partner", "child"],
  ]

  private static func document(_ field: FieldDefinition, _ coordinates: SchemaCoordinates) -> String {
    let event = coordinates.schema[field.type.type]
    let isObject = event.kind == .object
    let selection = isObject ? coordinates.selection(of: event) : coordinates.selection(below: field.type.type)
    return "subscription { \(field.name)\(selection) }"
  }

  @Test func `each has a line`() throws {
    let coordinates = try SchemaCoordinates()
    #expect(coordinates.object("Subscription")?.fields.map(\.name).sorted() == Self.lines.keys.sorted())
  }

  @Test func `members of the family receive it, and nobody else does`() async throws {
    let coordinates = try SchemaCoordinates()
    let root = try #require(coordinates.object("Subscription"))
    try await AuthorisationWorld.run { world in
      var insiders: [Device] = []
      var outsiders: [Device] = []
      for caller in world.callers {
        for field in root.fields {
          let isFor = Self.lines[field.name]?.contains(caller.name) == true
          let document = Self.document(field, coordinates)
          let listener = try await Listener.open(caller.client.http.port, caller.client, document)
          // Due reminders come first.
          if field.name == "reminderDue", isFor { _ = try await listener.next() }
          // A child's account has no texts of others.
          let isOwn = field.name == "accountChanged" && caller.name.hasSuffix("child")
          let device = Device(
            who: "\(caller.name): \(field.name)",
            listener: try await listener.listening(),
            end: isOwn ? "NotificationsRead" : isFor ? "Quoxyend" : "Ownend"
          )
          if isFor { insiders.append(device) } else { outsiders.append(device) }
        }
      }
      var seen = Sightings(coordinates)
      try await Self.live(world)
      for device in insiders {
        for event in try await device.received() {
          var received = Sightings(coordinates)
          received.read(event["data"], root, device.who)
          seen.add(received)
        }
      }
      try await Self.liveElsewhere(world)
      for device in outsiders {
        // Their own event is the first that they receive: nothing revealed that something happened elsewhere.
        let received = try await device.received()
        #expect(received.count == 1, "\(device.who): \(received)")
      }
      let read = coordinates.reached(from: "Query")
      for name in coordinates.reached(from: "Subscription").subtracting(read) {
        for field in coordinates.object(name)?.fields ?? [] {
          #expect(seen.values["\(name).\(field.name)"] != nil, "nobody received \(name).\(field.name)")
        }
      }
    }
  }

  private struct Device {
    let who: String
    let listener: Listener
    let end: String

    /// All events up to the one that contains `end`.
    func received() async throws -> [Value] {
      var events: [Value] = []
      do {
        repeat { events.append(try await listener.next()) } while events.last?.text.contains(end) == false
      } catch {
        Issue.record("\(who) had \(events) and then \(error)")
      }
      return events
    }
  }

  /// All events of the family happen; the last one is called Quoxyend.
  private static func live(_ world: AuthorisationWorld) async throws {
    let (server, household, mia) = (world.server, world.family.household, world.family.ids["Child"] ?? "")
    // While a removal is pending, nobody can join.
    let removal = try await household.parent.ask(Documents.parents)["data.family.parentRemoval.id"]
    _ = try await household.parent.perform(Documents.objectToRemoval, ["id": removal])
    let guest = try await Household("Guest Guest", on: server)
    try await household.admit(guest, on: server)
    _ = try await guest.parent.perform(Documents.deactivate, D11DeactivateTests.password)
    try await liveInAccount(of: household, on: server)
    let child = try await household.addChild("Quoxynew")
    let chore = try await household.addChore("Quoxywork", for: [mia])
    _ = try await household.assign([(chore, 1)], to: mia)
    let correction: Value = ["memberId": .string(mia), "points": 1, "reason": "Quoxybonus"]
    _ = try await household.parent.perform(Documents.correctPoints, ["input": correction])
    _ = try await household.makeContract(with: mia, levels: [(1, "Quoxyprize")])
    _ = try await household.parent.perform(Documents.updateFamily, ["input": ["name": "Quoxyhome"]])
    _ = try await household.parent.perform(Documents.updateAccount, ["input": ["theme": "OCEAN"]])
    // One stays: the other can be gone before its event is delivered, which then is that of its removal.
    _ = try await household.addItem("Quoxyrest")
    let item = try await household.addItem("Quoxything")
    _ = try await household.parent.perform(Documents.removeItem, ["id": .string(item)])
    _ = try await household.parent.perform(Documents.removeChore, ["id": .string(chore)])
    _ = try await household.parent.perform(Documents.removeChild, ["id": .string(child)])
    let last = try await household.addChore("Quoxylast", for: [mia])
    _ = try await household.setReminder(of: last, at: "2026-11-21T08:15:05Z")
    let end = try await household.addChore("Quoxyend", for: [mia])
    _ = try await household.setReminder(of: end, at: "2026-11-21T08:15:10Z")
    server.clock.advance(seconds: 10)
    let suitor = try await Household("Quoxyend End", on: server)
    for person in [household, world.partner] {
      try await request(.string(person.personID), by: suitor, message: "Quoxyend")
    }
    try await approve("Quoxyend", of: world.family)
  }

  /// All events of an account happen, except those of a request and a profile. One of each kind stays, because what is
  /// removed can be gone before its change is delivered.
  private static func liveInAccount(of household: Household, on server: TestServer) async throws {
    for (name, isRemoved) in [("Quoxymate Mate", false), ("Quoxyformer Former", true)] {
      let friend = try await Household(name, on: server)
      let contact = try await household.befriend(friend)
      let group = try await household.createGroup(name)
      guard isRemoved else { continue }
      _ = try await household.parent.perform(Documents.removeContact, ["id": .string(contact)])
      try await household.leave(group)
    }
    _ = try await household.parent.perform(Documents.markRead)
  }

  private static func request(_ person: Value, by suitor: Household, message: Value) async throws {
    let request: Value = ["id": person, "offer": [], "message": message]
    let requested = try await suitor.parent.perform(Documents.requestContact, request)
    try #require(requested.userErrors == [], "\(requested)")
  }

  /// The child finishes a chore and is notified of its approval.
  private static func approve(_ chore: String, of family: AuthorisationFamily) async throws {
    let id = Value.string(try await family.household.addChore(chore, for: [family.ids["Child"] ?? ""]))
    _ = try await family.child.perform(Documents.finishChore, ["id": id])
    let approved = try await family.household.parent.perform(Documents.approveChore, ["input": ["id": id]])
    try #require(approved.userErrors.isEmpty, "\(approved)")
    _ = try await family.child.perform(Documents.markRead)
  }

  /// An event of their own happens to everybody else.
  private static func liveElsewhere(_ world: AuthorisationWorld) async throws {
    let suitor = try await Household("Ownend End", on: world.server)
    for caller in world.callers where !["parent", "partner"].contains(caller.name) && !caller.name.hasSuffix("child") {
      let isStranger = caller.name == "stranger"
      let assignees = isStranger ? [world.other.ids["Child"] ?? ""] : []
      let chore: Value = [
        "name": "Ownend", "assigneeIds": Value(assignees), "remindAt": ["2026-11-21T08:15:20Z"],
      ]
      let added = try await caller.client.perform(Documents.addChore, ["input": chore])
      try #require(added["chore.id"].string != nil, "\(added)")
      let person = try await caller.client.ask("{ viewer { ... on Account { person { id } } } }")
      try await request(person["data.viewer.person.id"], by: suitor, message: "Ownend")
    }
    world.server.clock.advance(seconds: 10)
    try await approve("Ownend", of: world.other)
  }

  @Test func `anonymous callers receive nothing`() async throws {
    let coordinates = try SchemaCoordinates()
    let fields = try #require(coordinates.object("Subscription")).fields
    try await AuthorisationWorld.run { world in
      for (caller, code) in world.outsiders {
        for field in fields {
          let socket = try await LiveSocket.open(caller.client.http.port)
          let token = caller.client.token.map { #","payload":{"Authorization":"Bearer \#($0)"}"# } ?? ""
          try await socket.send(#"{"type":"connection_init"\#(token)}"#)
          var frame = try await socket.receive()
          if "\(frame)".contains("connection_ack") {
            try await socket.subscribe("1", Self.document(field, coordinates).replacing("\"", with: "\\\""))
            frame = try await socket.receive()
          }
          #expect("\(frame)".contains(code), "\(caller.name): \(field.name): \(frame)")
        }
      }
    }
  }
}
