import Storage
import TestSupport
import Testing

@testable import Hearth

/// A family all of whose texts can be distinguished from everything else, people who stand to its parent in every
/// relation, and a family that has nothing to do with it.
struct AuthorisationWorld {
  struct Caller: Sendable {
    let name: String
    let client: Client
  }

  /// Every secret begins with it, and nothing else does.
  static let mark = "quoxy"
  /// Ids of missing objects: well-formed and malformed.
  static let nothing = ["0000000000000", "fzzzzzzzzzzzz", "7kt3v5x0q9m2n", "", "x"]

  /// Where the family's data is written.
  let server: TestServer
  /// A client that has not signed in, of the server that the callers use.
  let visitor: Client
  let family: AuthorisationFamily
  let other: AuthorisationFamily
  let partner: Household
  /// The signed-in callers, in the order of the matrix: the family's parent first.
  let callers: [Caller]
  /// The callers without a valid session, and why it is invalid: they can see nothing.
  let outsiders: [(caller: Caller, code: String)]

  /// A picture with a preview. The servers of this world do not make any.
  private static func addPicture(of parent: Household, on server: TestServer) async throws {
    let picture = ["avatar": SamplePicture.png()]
    let changed = try await parent.parent.perform(Documents.updateAccount, [:], files: picture)
    try #require(changed.userErrors == [], "\(changed)")
    try await server.services.database.write { transaction in
      try transaction.run(SQL<Void>("UPDATE picture SET thumb_hash = hash"), ())
    }
  }

  /// Runs servers with this world. With PostgreSQL databases there are two, and the callers use the one at which none
  /// of the data was written.
  static func run(
    configure: (inout Configuration) -> Void = { _ in },
    _ body: (AuthorisationWorld) async throws -> Void
  ) async throws {
    if TestDatabase.configured == .postgresql {
      try await TestServer.runSeveral(2, configure: configure) { servers in
        try await body(AuthorisationWorld(on: servers[0], callersAt: servers[1]))
      }
    } else {
      try await TestServer.run(configure: configure) { server in
        try await body(AuthorisationWorld(on: server, callersAt: server))
      }
    }
  }

  private init(on server: TestServer, callersAt place: TestServer) async throws {
    self.server = server
    visitor = place.visitor
    var family = try await AuthorisationFamily(Self.mark, on: server)
    let old = (parent: family.household.parent, child: family.child)
    try await Self.letReminderFallDue(of: family, on: server)
    try await family.signInAgain(on: server)
    try await Self.answerReminder(of: family, on: server)
    let parent = family.household
    try await Self.link("\(Self.mark)linked@example.com", to: parent, on: server)
    partner = try await Self.join(parent, on: server)
    try await Self.addPicture(of: parent, on: server)
    let bonus: Value = ["memberId": .string(parent.personID), "points": 2, "reason": "Quoxyroommate"]
    let given = try await partner.parent.perform(Documents.correctPoints, ["input": bonus])
    try #require(given.userErrors == [], "\(given)")
    other = try await AuthorisationFamily("other", on: server)
    family.name("Somebody", other.household.personID)
    var callers = [Caller(name: "parent", client: parent.parent.at(place))]
    func enter(_ name: String, _ client: Client) { callers.append(Caller(name: name, client: client.at(place))) }
    enter("partner", partner.parent)
    enter("child", family.child)
    for scope in ["WORK", "SCHOOL", "PERSONAL"] {
      let contact = try await Household("Con \(scope)", on: server)
      try await parent.befriend(contact, sharing: [scope])
      enter("contact sharing \(scope)", contact.parent)
    }
    let contact = try await Household("Con Tact", on: server)
    try await parent.befriend(contact)
    enter("contact sharing nothing", contact.parent)
    let fellow = try await Household("Fel Low", on: server)
    try await fellow.join(family.ids["Group"] ?? "")
    enter("fellow of a group", fellow.parent)
    enter("former contact and fellow", try await Self.former(of: parent, in: family.ids["Group"] ?? "", on: server))
    let invited = try await Household("In Vited", on: server)
    try await parent.invite([invited], to: family.ids["Group"] ?? "")
    enter("invited to a group", invited.parent)
    let asking = try await Household("As King", on: server)
    _ = try await asking.request(parent, offering: ["WORK"])
    enter("asking", asking.parent)
    let asked = try await Household("As Ked", on: server)
    let request: Value = [
      "id": .string(asked.personID), "offer": ["PERSONAL"], "request": ["WORK"], "message": "Quoxymessage",
    ]
    _ = try await parent.parent.perform(Documents.requestContact, request)
    enter("asked", asked.parent)
    try await Self.openRequests(of: &family, partner, enter, on: server)
    enter("stranger", other.household.parent)
    enter("stranger's child", other.child)
    self.family = family
    self.callers = callers
    let outsiders = [
      ("visitor", server.visitor, "UNAUTHENTICATED"),
      ("parent with an expired token", old.parent, "TOKEN_EXPIRED"),
      ("child with an expired token", old.child, "TOKEN_EXPIRED"),
      ("parent who signed out", try await Self.signedOut(parent, on: server), "TOKEN_REVOKED"),
      ("somebody with a token of their own making", server.visitor.with(token: "a.b.c"), "TOKEN_MALFORMED"),
    ]
    self.outsiders = outsiders.map { name, client, code in (Caller(name: name, client: client.at(place)), code) }
  }

  func client(_ name: String) -> Client? { callers.first { $0.name == name }?.client }

  private static func letReminderFallDue(of family: AuthorisationFamily, on server: TestServer) async throws {
    let chore = family.ids["Chore"] ?? ""
    for minute in ["10", "11"] {
      _ = try await family.household.setReminder(of: chore, at: "2026-11-21T08:\(minute):00Z")
    }
    let due = try await Listener.open(
      server.port,
      family.household.parent,
      "subscription { notificationReceived { __typename } }"
    ).listening()
    server.clock.advance(seconds: 15 * 60)
    for _ in 0..<2 { _ = try await due.next() }
  }

  private static func answerReminder(of family: AuthorisationFamily, on server: TestServer) async throws {
    let due = try await family.household.parent.ask("{ family { reminders(status: DUE) { nodes { id } } } }")
    let input: Value = ["id": due["data.family.reminders.nodes.0.id"], "answer": "IGNORE"]
    let answered = try await family.household.parent.perform(Documents.answerReminder, ["input": input])
    try #require(answered["reminder.status"] == "IGNORED", "\(answered)")
    for client in [family.household.parent, family.child] { _ = try await client.perform(Documents.markRead) }
  }

  private static let identity = SQL<(person: GlobalID, email: String)>(
    "INSERT INTO identity VALUES (\(\.person), 1, '77', \(\.email), 0)"
  )

  /// Simulates a provider's confirmation of an identity.
  private static func link(_ email: String, to household: Household, on server: TestServer) async throws {
    let person = try #require(server.services.cipher.key(of: household.personID))
    try await server.services.database.write { transaction in
      try transaction.run(identity, (person: person, email: email))
    }
  }

  private static func join(_ household: Household, on server: TestServer) async throws -> Household {
    let email = "\(mark)partner@example.com"
    _ = try await household.parent.perform(Documents.inviteParent, ["email": .string(email)])
    let token = try await server.mail(to: email, about: "invites").token
    let partner = try await Household(on: server, email: email, name: "Quoxypartner Partner")
    try await partner.verifyEmail(on: server)
    let joined = try await partner.parent.perform(Documents.acceptInvitation, ["token": .string(token)])
    try #require(joined["family.id"] == .string(household.familyID), "\(joined)")
    return partner
  }

  /// Pending requests: to join a group, to join a family, and to remove the other parent.
  private static func openRequests(
    of family: inout AuthorisationFamily,
    _ partner: Household,
    _ enter: (String, Client) -> Void,
    on server: TestServer
  ) async throws {
    let (parent, group) = (family.household, family.ids["Group"] ?? "")
    let removed = try await Household("Re Moved", on: server)
    try await removed.join(group)
    _ = try await parent.removeMember(removed, from: group)
    enter("removed from a group", removed.parent)
    _ = try await parent.setAccess("BY_REQUEST", of: group)
    let requester = try await Household("Re Quester", on: server)
    family.name("JoinRequest", try await requester.askToJoin(group))
    enter("asking to join a group", requester.parent)
    family.name("OtherJoinRequest", try await Household("Other Quester", on: server).askToJoin(group))
    let email = "\(mark)invitee@example.com"
    let sent = try await parent.parent.perform(Documents.inviteParent, ["email": .string(email)])
    family.name("FamilyInvitation", sent["invitation.id"].string ?? "")
    let claimed = "\(mark)claimed@example.com"
    let other = try await parent.parent.perform(Documents.inviteParent, ["email": .string(claimed)])
    family.name("ClaimedInvitation", other["invitation.id"].string ?? "")
    let waiting = try await Household("Wai Ting", on: server)
    let token = try await server.mail(to: claimed, about: "invites").token
    _ = try await waiting.parent.perform(Documents.acceptInvitation, ["token": .string(token)])
    family.name("Waiting", waiting.personID)
    enter("waiting to be confirmed", waiting.parent)
    _ = try await parent.parent.perform(Documents.markRead)
    // Before the removal is requested: nobody can be invited after it.
    _ = try await parent.parent.perform(Documents.inviteParent, ["email": "as.ked@example.com"])
    family.name("Partner", partner.personID)
    try await forgetJoining(partner, on: server)
    let removal = try await partner.requestRemoval(of: parent)
    family.name("ParentRemoval", try #require(removal["removal.id"].string, "\(removal)"))
    // So that no row changes later.
    await server.deliverMail()
  }

  private static let notJoined = SQL<GlobalID>("UPDATE person SET joined_family_at = NULL WHERE id = \(\.self)")

  /// Makes a member's join date old, so that nobody can remove them at once.
  private static func forgetJoining(_ household: Household, on server: TestServer) async throws {
    let person = try #require(server.services.cipher.key(of: household.personID))
    try await server.services.database.write { transaction in
      try transaction.run(notJoined, person)
    }
  }

  /// A person with whom everything was shared.
  private static func former(of household: Household, in group: String, on server: TestServer) async throws -> Client {
    let former = try await Household("For Mer", on: server)
    let contact = try await household.befriend(former, sharing: ["WORK", "SCHOOL", "PERSONAL"])
    try await former.join(group)
    try #require(try await former.sees(household)["contactInfo"].list.count == 9)
    _ = try await household.parent.perform(Documents.removeContact, ["id": .string(contact)])
    try await former.leave(group)
    return former.parent
  }

  private static func signedOut(_ household: Household, on server: TestServer) async throws -> Client {
    let client = try await household.signedInAgain(on: server).parent
    _ = try await client.perform(Documents.signOut)
    return client
  }

  static func secrets(in text: String) -> Set<String> {
    Set(text.matches(of: /[Qq]uoxy[a-z]+/).map { $0.output.lowercased() })
  }

  /// Every row of every table, but for when sessions were last used.
  func rows() throws -> [String] {
    if server.database == .postgresql { return try serverRows() }
    let reader = try server.reader()
    var tables: [String] = []
    let names = "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%STRICT%' ORDER BY name"
    try reader.statement(WrittenOnce.sql(names)).forEachRow { tables.append($0.string(0)) }
    var rows: [String] = []
    for table in tables {
      var columns: [String] = []
      let columnNames = "SELECT name FROM pragma_table_info('\(table)') WHERE name NOT LIKE '%used_at'"
      try reader.statement(WrittenOnce.sql(columnNames)).forEachRow { columns.append("quote(\($0.string(0)))") }
      let text = "SELECT \(columns.joined(separator: " || ',' || ")) FROM \(table) ORDER BY 1"
      try reader.statement(WrittenOnce.sql(text)).forEachRow { rows.append("\(table): \($0.string(0))") }
    }
    return rows
  }

  /// The same in PostgreSQL.
  private func serverRows() throws -> [String] {
    let reader = try server.reader()
    defer { reader.endRead() }
    var tables: [String] = []
    let names = "SELECT relname::text FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
    try reader.statement(WrittenOnce.sql(names)).forEachRow { tables.append($0.string(0)) }
    var rows: [String] = []
    // The tokens of commits are none of the product's data.
    let others = ["commit_token", "process", "lease", "rate_limit", "partition_change"]
    for table in tables.sorted() where !others.contains(table) {
      let text = "SELECT (to_jsonb(t) - 'last_used_at')::text FROM \(table) AS t ORDER BY 1"
      try reader.statement(WrittenOnce.sql(text)).forEachRow { rows.append("\(table): \($0.string(0))") }
    }
    return rows
  }
}
