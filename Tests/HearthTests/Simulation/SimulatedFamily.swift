import Testing

/// A family of the points simulation, as servers know it.
struct SimulatedFamily: Sendable {
  enum Action: Sendable {
    case finish, reopen, sendBack, approve(Int?), assign(Int), correct(Int), takeBack(entry: Int)
    case makeContract(carryOver: Bool), endContract(Int), redeem(Int, level: Int), handOut(Int, level: Int)
  }

  /// What one does: with a chore, or with another's points.
  struct Deed: Sendable {
    let action: Action
    let one: Int
    let other: Int
    let chore: Int
  }

  /// The members' clients at each server.
  let clients: [[Client]]
  let members: [String]
  let chores: [String]
  /// The ids of the shown entries of each member and of the contracts, oldest first, as of the last look.
  private(set) var entries: [[String]] = [[], [], [], []]
  private(set) var contracts: [Int: [String]] = [:]

  init(_ number: Int, on servers: [TestServer]) async throws {
    // It sends the mails.
    let server = servers[0]
    let ada = try await Household(on: server, email: "ada\(number)@example.com", name: "Ada \(number)")
    let ben = try await Household(on: server, email: "ben\(number)@example.com", name: "Ben \(number)")
    try await ada.admit(ben, on: server)
    var members = [ada.personID, ben.personID]
    var clients = [ada.parent, ben.parent]
    for name in ["mia", "zoe"] {
      members.append(try await ada.addChild(name, username: "\(name)\(number)"))
      clients.append(try await ada.signIn("\(name)\(number)"))
    }
    var chores: [String] = []
    for name in ["Cat", "Dog", "Plants", "Dishes"] { chores.append(try await ada.addChore(name, for: members)) }
    self.members = members
    self.clients = servers.map { server in clients.map { $0.at(server) } }
    self.chores = chores
  }

  private static let document = """
    { family { parents { \(fields(contracts: "")) }
      children { \(fields(contracts: contracts)) }
      chores(first: 20) { nodes { id status awaitsApproval approvedPoints finishedBy { id } } } } }
    """
  private static let contracts = """
    contracts(first: \(PointsModel.shownContracts)) { nodes { id points active
      levels { reached redeemedAt handedOutAt } } }
    """

  private static func fields(contracts: String) -> String {
    """
    id points achievementPoints \(contracts)
    pointEntries(first: \(PointsModel.shownEntries)) { nodes { id kind points } }
    """
  }

  /// The servers, by their numbers.
  var places: Range<Int> { clients.indices }

  /// What a parent sees at a server, in the form of `PointsModel.lines`.
  mutating func look(at place: Int) async throws -> [String] {
    let family = try await clients[place][0].ask(Self.document)["data.family"]
    var byID: [String: Value] = [:]
    for member in family["parents"].list + family["children"].list { byID[member["id"].string ?? ""] = member }
    var lines: [String] = []
    for (index, id) in members.enumerated() {
      let member = byID[id] ?? nil
      let nodes = member["pointEntries.nodes"].list.reversed()
      entries[index] = nodes.compactMap { $0["id"].string }
      let shown = nodes.map { "\($0["kind"].string ?? "") \($0["points"].text)" }
      lines.append("\(index): \(member["points"].text) of \(member["achievementPoints"].text), \(shown)")
    }
    for child in PointsModel.children {
      let nodes = (byID[members[child]] ?? nil)["contracts.nodes"].list.reversed()
      contracts[child] = nodes.compactMap { $0["id"].string }
      for contract in nodes {
        let levels = contract["levels"].list.map { level in
          "\(level["reached"] == true) \(level["redeemedAt"] != .null) \(level["handedOutAt"] != .null)"
        }
        lines.append("contract of \(child): \(contract["points"].text) \(contract["active"] == true) \(levels)")
      }
    }
    let listed = family["chores.nodes"].list
    for id in chores {
      let chore = listed.first { $0["id"].string == id } ?? nil
      let who = chore["finishedBy.id"].string.flatMap(members.firstIndex).map(String.init) ?? "-"
      let points = chore["approvedPoints"].int.map(String.init) ?? "-"
      lines.append("\(chore["status"] == "DONE") \(who) \(chore["awaitsApproval"] == true) \(points)")
    }
    return lines
  }

  /// Performs a deed; returns whether it was allowed. Contracts and entries are numbered as in `model`.
  func perform(_ deed: Deed, _ model: PointsModel, at place: Int) async throws -> Bool {
    let (document, variables) = request(deed, model)
    return Self.isGranted(try await clients[place][deed.one].post(document, variables), deed)
  }

  /// A deed with an idempotency key, as it is sent and repeated.
  struct KeyedRequest: Sendable {
    let deed: Deed
    fileprivate let clients: [Client]
    fileprivate let text: String
    fileprivate let key: String

    /// Sends the request on a connection of its own, again while the first of its kind is executed.
    func send(at place: Int) async throws -> (isGranted: Bool, body: [UInt8]) {
      let http = clients[place].another.http
      let headers = [("Authorization", "Bearer \(clients[place].token ?? "")"), ("Idempotency-Key", key)]
      while true {
        let answer = try await http.post(text, headers: headers)
        if answer.codes == ["IDEMPOTENT_REQUEST_RUNNING"] {
          await Task.yield()
          continue
        }
        return (SimulatedFamily.isGranted(answer, deed), answer.body)
      }
    }
  }

  func keyed(_ deed: Deed, _ key: String, _ model: PointsModel) -> KeyedRequest {
    let (document, variables) = request(deed, model)
    let text = (["query": .string(document), "variables": variables] as Value).text
    return KeyedRequest(deed: deed, clients: clients.map { $0[deed.one] }, text: text, key: key)
  }

  private static func isGranted(_ answer: HTTPAnswer, _ deed: Deed) -> Bool {
    guard answer.codes.isEmpty else {
      #expect(answer.codes == ["FORBIDDEN"], "\(deed): \(answer.text)")
      return false
    }
    guard case .object(let fields) = answer.json["data"], let payload = fields.values.first else { return false }
    return payload["userErrors"] == []
  }

  private func request(_ deed: Deed, _ model: PointsModel) -> (document: String, variables: Value) {
    let (chore, member) = (Value.string(chores[deed.chore]), Value.string(members[deed.other]))
    func number(_ value: Int) -> Value { .number(Double(value)) }
    func reward(_ contract: Int, _ level: Int) -> Value {
      ["input": ["contractId": .string(id(ofContract: contract, model)), "level": number(level)]]
    }
    switch deed.action {
    case .finish: return (Documents.finishChore, ["id": chore])
    case .reopen: return (Documents.reopenChore, ["id": chore])
    case .sendBack: return (Documents.returnChore, ["input": ["id": chore, "comment": "Once more."]])
    case .approve(let points):
      return (Documents.approveChore, ["input": ["id": chore, "points": points.map(number) ?? nil]])
    case .assign(let points):
      let award: Value = ["choreId": chore, "points": number(points), "again": true]
      return (Documents.assignPoints, ["input": ["childId": member, "chores": [award]]])
    case .correct(let points):
      return (Documents.correctPoints, ["input": ["memberId": member, "points": number(points), "reason": "So."]])
    case .takeBack(let entry):
      let hidden = max(0, model.entries[deed.other].count - PointsModel.shownEntries)
      let id = Value.string(entries[deed.other][entry - hidden])
      return (Documents.correctPoints, ["input": ["memberId": member, "entryId": id, "reason": "Twice."]])
    case .makeContract(let carryOver):
      let input: Value = [
        "childId": member, "maxPoints": number(PointsModel.maxPoints), "carryOver": .boolean(carryOver),
        "levels": [["points": 2, "reward": "Song"], ["points": 3, "reward": "Cinema"]],
      ]
      return (Documents.makeContract, ["input": input])
    case .endContract(let contract):
      return (Documents.endContract, ["id": .string(id(ofContract: contract, model))])
    case .redeem(let contract, let level): return (Documents.redeemReward, reward(contract, level))
    case .handOut(let contract, let level): return (Documents.handOutReward, reward(contract, level))
    }
  }

  private func id(ofContract contract: Int, _ model: PointsModel) -> String {
    let child = model.contracts[contract].child
    let own = model.contracts.indices.filter { model.contracts[$0].child == child }
    let hidden = max(0, own.count - PointsModel.shownContracts)
    guard let index = own.firstIndex(of: contract), index >= hidden else { return "" }
    return contracts[child]?[index - hidden] ?? ""
  }
}

extension PointsModel {
  mutating func perform(_ deed: SimulatedFamily.Deed) -> Bool {
    switch deed.action {
    case .finish: finish(deed.one, deed.chore)
    case .reopen: reopen(deed.one, deed.chore)
    case .sendBack: sendBack(deed.one, deed.chore)
    case .approve(let points): approve(deed.one, deed.chore, points: points)
    case .assign(let points): assign(deed.other, deed.chore, points: points)
    case .correct(let points): correct(deed.one, deed.other, points: points)
    case .takeBack(let entry): takeBack(deed.one, deed.other, entry: entry)
    case .makeContract(let carryOver): makeContract(deed.other, carryOver: carryOver)
    case .endContract(let contract): endContract(contract)
    case .redeem(let contract, let level): redeem(deed.one, contract, level)
    case .handOut(let contract, let level): handOut(deed.one, contract, level)
    }
  }
}
