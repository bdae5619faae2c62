import Storage
import Testing

@testable import Hearth

/// A family all of whose texts can be told from everything else, people who stand to its parent in every relation, and
/// families that have nothing to do with it.
struct AuthorisationWorld {
  /// Every secret begins with it, and nothing else does.
  static let mark = "zq"
  /// Of no node: of ids' form and of none.
  static let nothing = ["0000000000000", "fzzzzzzzzzzzz", "7kt3v5x0q9m2n"]

  let server: TestServer
  let family: AuthorisationFamily
  let other: AuthorisationFamily
  /// In the order of the matrix's columns.
  let callers: [(name: String, client: Client)]

  init(on server: TestServer) async throws {
    self.server = server
    family = try await AuthorisationFamily(Self.mark, on: server)
    other = try await AuthorisationFamily("other", on: server)
    let parent = family.household
    let contact = try await Household("Con Tact", on: server)
    try await parent.befriend(contact, sharing: ["WORK"])
    let fellow = try await Household("Fel Low", on: server)
    try await fellow.join(family.ids["Group"]?.first ?? "")
    let asking = try await Household("As King", on: server)
    _ = try await asking.request(parent, offering: ["WORK"])
    let asked = try await Household("As Ked", on: server)
    let request: Value = ["id": .string(asked.personID), "offer": ["PERSONAL"], "message": "Zqmessage"]
    _ = try await parent.parent.perform(Documents.requestContact, request)
    callers = [
      ("parent", parent.parent), ("child", family.child), ("contact", contact.parent), ("fellow", fellow.parent),
      ("asking", asking.parent), ("asked", asked.parent), ("other parent", other.household.parent),
      ("other child", other.child), ("visitor", server.visitor),
    ]
  }

  /// The family's parent on a device that was signed out.
  func revoked() async throws -> Client {
    let signedIn = try await server.visitor.perform(
      Documents.signIn,
      A02SignInTests.input(family.household.email, Household.password)
    )
    let token: String = try #require(signedIn["credentials.accessToken"].string)
    let client = server.visitor.with(token: token)
    _ = try await client.perform(Documents.signOut)
    return client
  }

  static func secrets(in text: String) -> Set<String> {
    Set(text.matches(of: /[Zz]q[a-z]+/).map { $0.output.lowercased() })
  }

  /// Every row of every table, but for when sessions were last used.
  func rows() throws -> [String] {
    let reader = try Database.reader(of: DataDirectory.databasePath(in: server.directory.path))
    var tables: [String] = []
    let names = "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%STRICT%' ORDER BY name"
    try reader.statement(SQL(names)).forEachRow { tables.append($0.string(0)) }
    var rows: [String] = []
    for table in tables {
      var columns: [String] = []
      let told = "SELECT name FROM pragma_table_info('\(table)') WHERE name NOT LIKE '%used_at'"
      try reader.statement(SQL(told)).forEachRow { columns.append("quote(\($0.string(0)))") }
      let text = "SELECT \(columns.joined(separator: " || ',' || ")) FROM \(table) ORDER BY 1"
      try reader.statement(SQL(text)).forEachRow { rows.append("\(table): \($0.string(0))") }
    }
    return rows
  }
}

/// One of its families, with something of every kind.
struct AuthorisationFamily {
  let household: Household
  let child: Client
  /// By the type's name.
  private(set) var ids: [String: [String]] = [:]

  init(_ word: String, on server: TestServer) async throws {
    let capital = word.prefix(1).uppercased() + word.dropFirst()
    func text(_ name: String) -> Value { .string(capital + name) }
    household = try await Household(
      on: server,
      email: "\(word)address@example.com",
      name: "\(capital)first \(capital)last"
    )
    let parent = household.parent
    let about: Value = ["middleName": text("middle"), "phone": "+1 617 555 0123"]
    _ = try await parent.perform(Documents.updateAccount, ["input": about])
    _ = try await parent.perform(Documents.updateFamily, ["input": ["name": text("family")]])
    let profile: Value = [
      "currentCity": text("city"), "hometown": text("hometown"), "company": text("company"),
      "highSchools": [text("school")], "colleges": [text("college")], "socialMedia": [text("media")],
    ]
    _ = try await parent.perform(Documents.updateProfile, ["input": profile])
    for scope in ["WORK", "SCHOOL", "PERSONAL"] {
      let name = word + scope.lowercased()
      try await household.addInfo(scope, ["email": .string("\(name)@example.com")], label: "\(name)label")
      try await household.addInfo(scope, ["phone": ["number": "617 555 0199", "countryCode": "1"]], label: name)
      let address: Value = ["line1": text("street"), "city": text("town"), "country": "US"]
      try await household.addInfo(scope, ["address": address], label: name)
    }
    let mia = try await household.addChild("\(capital)mia", username: "\(word)username")
    child = try await household.signIn("\(word)username")
    let gone = try await household.addChild("\(capital)gone")
    _ = try await parent.perform(Documents.removeChild, ["id": .string(gone)])
    let weekly: Value = [
      "name": text("chore"), "notes": text("notes"), "frequency": "WEEKLY", "dueAt": "2026-11-21T18:00:00Z",
      "assigneeIds": Value([mia]), "remindAt": ["2026-11-21T17:00:00Z"],
    ]
    _ = try await parent.perform(Documents.addChore, ["input": weekly])
    _ = try await parent.perform(Documents.preloadChores, ["input": ["frequency": "WEEKLY"]])
    let chore = try await household.addChore("\(capital)done", for: [mia])
    _ = try await household.makeContract(with: mia, levels: [(1, "\(capital)award")])
    _ = try await household.assign([(chore, 2)], to: mia)
    let removed = try await household.addChore("\(capital)removed")
    _ = try await parent.perform(Documents.removeChore, ["id": .string(removed)])
    _ = try await household.addItem("\(capital)item")
    let group = try await household.createGroup(
      "\(capital)group",
      description: "\(capital)purpose",
      hometown: "\(capital)place",
      sharing: ["SCHOOL"]
    )
    let friend = try await Household("\(capital)friend Friend", on: server)
    try await household.befriend(friend, sharing: ["PERSONAL"])
    let leaving = try await Household("\(capital)leaving Friend", on: server)
    let contact = try await leaving.befriend(household)
    _ = try await leaving.parent.perform(Documents.removeContact, ["id": .string(contact)])
    let circle = try await friend.createGroup("\(capital)circle")
    try await friend.invite([household], to: circle)
    _ = try await household.request(leaving, offering: ["WORK"])
    let suitor = try await Household("\(capital)suitor Friend", on: server)
    _ = try await suitor.request(household, offering: ["WORK"])
    try await collect([gone, removed, group, circle])
  }

  private mutating func collect(_ more: [String]) async throws {
    let answer = try await household.parent.ask(
      """
      query ($more: [ID!]!) { nodes(ids: $more) { __typename id } viewer { __typename ... on Account { id
        person { __typename id contactInfo { __typename id } } sessions { __typename id }
        contacts { nodes { __typename id } } sent: contactRequests(direction: OUTGOING) { nodes { __typename id } }
        contactRequests { nodes { __typename id } } notifications { nodes { __typename id } } } }
        family { __typename id children { __typename id contracts { nodes { __typename id } }
          finishedChores { nodes { __typename id } } } chores { nodes { __typename id } }
          items { nodes { __typename id } } reminders { nodes { __typename id } } } }
      """,
      ["more": Value(more)]
    )
    try #require(answer["errors"] == .null, "\(answer)")
    gather(answer)
  }

  private mutating func gather(_ value: Value) {
    if let type = value["__typename"].string, let id = value["id"].string { ids[type, default: []].append(id) }
    if case .object(let members) = value { for name in members.keys.sorted() { gather(value[name]) } }
    for item in value.list { gather(item) }
  }
}
