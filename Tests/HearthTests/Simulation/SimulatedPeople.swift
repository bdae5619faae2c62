import Testing

/// The people of the simulation, each with two connections to each server, their actions and what they see.
struct SimulatedPeople: Sendable {
  /// The people at each server.
  private let households: [[Household]]
  private let connections: [[[Client]]]
  /// The server at which they look.
  var place = 0
  /// Ids of groups by their number, including deleted ones.
  private(set) var groups: [Int: String] = [:]

  init(_ count: Int, on servers: [TestServer]) async throws {
    var people: [Household] = []
    for number in 0..<count {
      let person = try await Household("Person \(number)", on: servers[number % servers.count])
      for scope in D04ContactDetailsTests.all { try await person.addInfo(scope, ["email": "a@example.com"]) }
      people.append(person)
    }
    households = servers.map { server in people.map { Household($0, parent: $0.parent.at(server)) } }
    connections = households.map { people in people.map { [$0.parent, $0.parent.another] } }
  }

  var indices: Range<Int> { people.indices }
  /// The servers, by their numbers.
  var places: Range<Int> { households.indices }

  private var people: [Household] { households[place] }

  // MARK: What they do

  /// Performs all actions concurrently, each at one of the servers; returns which were allowed.
  mutating func perform(_ deeds: [SimulatedDeed], at places: [Int]) async throws -> [Bool] {
    let outcomes = try await outcomes(of: deeds, at: places)
    for (deed, outcome) in zip(deeds, outcomes) {
      #expect(outcome.errors == .null, "\(deed)")
      guard case .group(let number) = deed.area, case .createGroup = deed.action else { continue }
      let id: String = try #require(outcome["group.id"].string, "\(outcome)")
      groups[number] = id
    }
    return outcomes.map { $0.userErrors.isEmpty }
  }

  private func outcomes(of deeds: [SimulatedDeed], at places: [Int]) async throws -> [Outcome] {
    // Ids are looked up before: only the actions themselves run concurrently.
    let mutations = try await inParallel(deeds) { deed in try await mutation(of: deed) }
    return try await inParallel(Array(deeds.indices)) { index in
      let (document, variables) = mutations[index]
      return try await connections[places[index]][deeds[index].one][index % 2].perform(document, variables)
    }
  }

  private func mutation(of deed: SimulatedDeed) async throws -> (document: String, variables: Value) {
    let (one, other) = (people[deed.one], people[deed.other])
    let (scopes, them) = (Value(deed.scopes), Value.string(other.personID))
    guard case .group(let number) = deed.area else {
      return switch deed.action {
      case .request: (Documents.requestContact, ["id": them, "offer": scopes])
      case .accept: (Documents.acceptContact, ["id": try await request(from: other, to: one), "share": scopes])
      case .reject: (Documents.rejectContact, ["id": try await request(from: other, to: one)])
      case .cancel: (Documents.cancelRequest, ["id": try await request(from: one, to: other)])
      case .share: (Documents.setSharing, ["id": try await contact(of: one, other), "scopes": scopes])
      default: (Documents.removeContact, ["id": try await contact(of: one, other)])
      }
    }
    let id = groups[number].map(Value.string) ?? Self.nothing
    return switch deed.action {
    case .createGroup: (Documents.createGroup, ["input": ["name": .string("Group \(number)"), "sharing": scopes]])
    case .join: (Documents.joinGroup, ["id": id])
    case .invite: (Documents.inviteToGroup, ["id": id, "people": [them]])
    case .leave: (Documents.leaveGroup, ["id": id])
    case .removeMember: (Documents.removeGroupMember, ["id": id, "person": them])
    case .setRole(let isAdmin):
      (Documents.setGroupRole, ["id": id, "person": them, "role": isAdmin ? "ADMIN" : "MEMBER"])
    case .setAccess(let access): (Documents.updateGroup, ["input": ["id": id, "access": .string(access)]])
    case .acceptJoin: (Documents.acceptJoinRequest, ["id": try await joinRequest(of: other, to: id, seenBy: one)])
    case .rejectJoin: (Documents.rejectJoinRequest, ["id": try await joinRequest(of: other, to: id, seenBy: one)])
    case .setGroupSharing: (Documents.updateGroup, ["input": ["id": id, "sharing": scopes]])
    default: (Documents.deleteGroup, ["id": id])
    }
  }

  /// An id of nothing.
  private static let nothing: Value = "0000000000000"

  /// The id of the pending request from one person to another, as the other sees it; a missing id if there is none.
  private func request(from one: Household, to other: Household) async throws -> Value {
    let nodes = try await other.requests()["nodes"].list
    return nodes.first { $0["from.id"] == .string(one.personID) }?["id"] ?? Self.nothing
  }

  /// The id of the pending request of a person to join a group, as another sees it; a missing id if there is none.
  private func joinRequest(of person: Household, to group: Value, seenBy one: Household) async throws -> Value {
    let requests = try await one.group(group.string ?? "")["joinRequests.nodes"].list
    return requests.first { $0["person.id"] == .string(person.personID) }?["id"] ?? Self.nothing
  }

  private func contact(of one: Household, _ other: Household) async throws -> Value {
    let nodes = try await one.parent.ask(Documents.contacts, ["first": 100])
    return nodes["data.viewer.contacts.nodes"].list
      .first { $0["person.id"] == .string(other.personID) }?["id"] ?? Self.nothing
  }

  // MARK: What they see

  /// The contacts and requests of one of them, in words: `7: shares WORK, sees SCHOOL`.
  func book(of one: Int) async throws -> [String] {
    let book = try await people[one].contactBook()
    func number(_ person: Value) -> String {
      people.firstIndex { .string($0.personID) == person }.map(String.init) ?? "somebody else"
    }
    let contacts = book["contacts.nodes"].list.map { contact in
      ContactBookModel.contact(
        number(contact["person.id"]),
        contact["sharing"].strings,
        contact["sharedWithViewer"].strings
      )
    }
    let incoming = book["incoming.nodes"].list.map { request in
      ContactBookModel.incoming(number(request["from.id"]), request["offered"].strings)
    }
    let outgoing = book["outgoing.nodes"].list.map { request in
      ContactBookModel.outgoing(number(request["to.id"]), request["offered"].strings)
    }
    for (list, found) in [("contacts", contacts), ("incoming", incoming), ("outgoing", outgoing)] {
      #expect(book["\(list).totalCount"].int == found.count)
    }
    return (contacts + incoming + outgoing).sorted()
  }

  /// A description of what one of them sees of everybody, in order.
  func everybody(seenBy one: Int) async throws -> [String] {
    try await nodes(people.map(\.personID), seenBy: one).map { person in
      ContactBookModel.person(
        person["relation"].string,
        person["contactInfo"].each("scope").compactMap(\.string),
        hasBirthday: person["dateOfBirth"] != .null
      )
    }
  }

  func names(ofGroupsOf one: Int) async throws -> [String] {
    let list = try await people[one].parent.ask(Documents.groups, ["first": 100])["data.viewer.groups"]
    #expect(list["totalCount"].int == list["nodes"].list.count)
    return list["nodes"].each("name").compactMap(\.string)
  }

  /// A description of what one of them sees of groups.
  func groups(_ numbers: [Int], seenBy one: Int) async throws -> [String] {
    let found = try await nodes(numbers.map { groups[$0] ?? "" }, seenBy: one)
    return found.map { group in
      guard group != .null else { return ContactBookModel.noGroup }
      let members = group["members.nodes"].list.map { member in
        "\(member["person.name"].string ?? "") \(member["role"].string ?? "")"
      }
      return ContactBookModel.group(
        group["memberCount"].int,
        group["viewerRole"].string,
        group["sharing"].strings,
        members,
        access: group["access"].string,
        hasAsked: group["viewerJoinRequest"] != .null,
        asking: group["joinRequests.nodes"].each("person.name").compactMap(\.string)
      )
    }
  }

  private func nodes(_ ids: [String], seenBy one: Int) async throws -> [Value] {
    var seen: [Value] = []
    for start in stride(from: 0, to: ids.count, by: 50) {
      let part = Value(Array(ids[start..<min(start + 50, ids.count)]))
      let answer = try await people[one].parent.ask(Self.nodes, ["ids": part])
      #expect(answer["errors"] == .null)
      seen += answer["data.nodes"].list
    }
    return seen
  }

  private static let nodes = """
    query ($ids: [ID!]!) { nodes(ids: $ids) {
      ... on Person { relation dateOfBirth contactInfo { scope } }
      ... on Group { memberCount viewerRole sharing members(first: 100) { nodes { person { name } role } }
        access viewerJoinRequest { id } joinRequests(first: 100) { nodes { person { name } } } } } }
    """
}

/// The same in the model's words.
extension ContactBookModel {
  static let noGroup = "no group"

  static func contact(_ person: String, _ sharing: [String], _ shared: [String]) -> String {
    "\(person): shares \(sharing.sorted()), sees \(shared.sorted())"
  }
  static func incoming(_ person: String, _ offered: [String]) -> String { "\(person) offers \(offered.sorted())" }
  static func outgoing(_ person: String, _ offered: [String]) -> String { "\(person) is offered \(offered.sorted())" }
  static func person(_ relation: String?, _ shown: [String], hasBirthday: Bool) -> String {
    "\(relation ?? "nobody") shows \(shown.sorted())\(hasBirthday ? " and a birthday" : "")"
  }
  static func group(
    _ count: Int?,
    _ role: String?,
    _ sharing: [String],
    _ members: [String],
    access: String?,
    hasAsked: Bool,
    asking: [String]
  ) -> String {
    """
    \(count ?? -1) share \(sharing.sorted()), \(role ?? "no role")\(hasAsked ? " asking" : ""): \(members.sorted()), \
    \(access ?? "") with \(asking.sorted())
    """
  }

  static func lines(of book: [String], about person: Int) -> [String] {
    book.filter { $0.hasPrefix("\(person):") || $0.hasPrefix("\(person) ") }
  }

  func book(of one: Int) -> [String] {
    let contacts = sharing.filter { $0.key[0] == one }.map { pair, shared in
      Self.contact("\(pair[1])", Array(shared), Array(sharing[[pair[1], one]] ?? []))
    }
    let incoming = requests.filter { $0.key[1] == one }.map { Self.incoming("\($0.key[0])", Array($0.value)) }
    let outgoing = requests.filter { $0.key[0] == one }.map { Self.outgoing("\($0.key[1])", Array($0.value)) }
    return (contacts + incoming + outgoing).sorted()
  }

  func everybody(_ people: Range<Int>, seenBy one: Int) -> [String] {
    people.map { other in
      let shown = shown(one, of: other, all: Set(D04ContactDetailsTests.all))
      return Self.person(relation(one, other), Array(shown), hasBirthday: shown.contains("PERSONAL"))
    }
  }

  func groups(_ numbers: [Int], seenBy one: Int) -> [String] {
    numbers.map { number in
      guard let group = groups[number], group.isVisible(to: one) else { return Self.noGroup }
      let members = group.members.map { "Person \($0.person) \($0.isAdmin ? "ADMIN" : "MEMBER")" }
      let isMember = group.index(of: one) != nil
      return Self.group(
        group.members.count,
        role(of: one, in: group),
        Array(group.sharing),
        isMember ? members : [],
        access: group.access,
        hasAsked: group.requests[one] != nil,
        asking: group.isAdmin(one) ? group.requests.keys.map { "Person \($0)" } : []
      )
    }
  }
}

/// In the order of `items`, a few at once.
func inParallel<Item: Sendable, Made: Sendable>(
  _ items: [Item],
  width: Int = 16,
  _ body: @escaping @Sendable (Item) async throws -> Made
) async throws -> [Made] {
  try await withThrowingTaskGroup(of: (Int, Made).self) { group in
    var made: [(index: Int, value: Made)] = []
    for (index, item) in items.enumerated() {
      if index >= width, let next = try await group.next() { made.append(next) }
      group.addTask { (index, try await body(item)) }
    }
    for try await next in group { made.append(next) }
    return made.sorted { $0.index < $1.index }.map(\.value)
  }
}
