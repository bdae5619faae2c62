import Testing

@testable import Hearth

/// A family with something of every kind, all of whose texts begin with a word of its own.
struct AuthorisationFamily {
  let word: String
  private(set) var household: Household
  private(set) var child: Client
  private(set) var sibling: Client
  /// The id of one own object of each type, keyed by type name; and of further ones for mutations, keyed by our names.
  private(set) var ids: [String: String] = [:]
  /// A contact of the parent's.
  let friend: Household

  init(_ word: String, on server: TestServer) async throws {
    self.word = word
    let capital = word.prefix(1).uppercased() + word.dropFirst()
    func text(_ name: String) -> Value { .string(capital + name) }
    household = try await Household(
      on: server,
      email: "\(word)address@example.com",
      name: "\(capital)first \(capital)last"
    )
    friend = try await Household("\(capital)friend Friend", on: server)
    let parent = household.parent
    try await Self.partings(of: household, word, on: server)
    let about: Value = [
      "middleName": text("middle"), "phone": "+1 617 555 0123", "gender": "FEMALE", "locale": "en-GB",
    ]
    _ = try await parent.perform(Documents.updateAccount, ["input": about])
    let pending: Value = ["email": .string("\(word)pending@example.com")]
    _ = try await parent.perform(D14AccountManagementTests.changeEmail, pending)
    _ = try await parent.perform(Documents.updateFamily, ["input": ["name": text("family")]])
    let profile: Value = [
      "currentCity": text("city"), "hometown": text("hometown"), "company": text("company"),
      "highSchools": [text("school")], "colleges": [text("college")], "socialMedia": [text("media")],
    ]
    _ = try await parent.perform(Documents.updateProfile, ["input": profile])
    for scope in ["WORK", "SCHOOL", "PERSONAL"] {
      let name = word + scope.lowercased()
      let email = try await household.addInfo(scope, ["email": .string("\(name)mail@example.com")], label: "\(name)one")
      ids["ContactInfo"] = email["id"].string
      let phone: Value = ["number": "617 555 0199", "countryCode": "1", "extension": "12"]
      try await household.addInfo(scope, ["phone": phone], label: "\(name)two")
      let address: Value = [
        "line1": .string("\(name)line"), "line2": .string("\(name)floor"), "city": .string("\(name)town"),
        "region": "MA", "postalCode": "02139", "country": "US",
      ]
      try await household.addInfo(scope, ["address": address], label: "\(name)three")
    }
    let mia = try await household.addChild("\(capital)mia", username: "\(word)username")
    ids["Sibling"] = try await household.addChild("\(capital)ben", username: "\(word)brother")
    child = try await household.signIn("\(word)username")
    sibling = try await household.signIn("\(word)brother")
    let language = "mutation ($id: ID!) { updateChildProfile(input: {id: $id, locale: \"pt-BR\"}) { child { id } } }"
    _ = try await child.perform(language, ["id": .string(mia)])
    ids["Account"] = household.accountID
    ids["Person"] = household.personID
    ids["Family"] = household.familyID
    ids["Child"] = mia
    try await addChores(capital, mia)
    ids["Item"] = try await household.addItem("\(capital)item")
    try await addFriends(capital, server)
    try await collect()
  }

  private mutating func addChores(_ capital: String, _ mia: String) async throws {
    let parent = household.parent
    let weekly: Value = [
      "name": .string("\(capital)chore"), "notes": .string("\(capital)notes"), "frequency": "WEEKLY",
      "dueAt": "2026-11-21T18:00:00Z", "assigneeIds": Value([mia]), "remindAt": ["2026-11-21T17:00:00Z"],
    ]
    let added = try await parent.perform(Documents.addChore, ["input": weekly])
    ids["Chore"] = added["chore.id"].string
    _ = try await parent.perform(Documents.preloadChores, ["input": ["frequency": "WEEKLY"]])
    let contract: Value = [
      "childId": .string(mia), "description": .string("\(capital)terms"), "maxPoints": 10,
      "levels": [
        ["points": 1, "award": .string("\(capital)award")], ["points": 1, "award": .string("\(capital)second")],
      ],
    ]
    let made = try await parent.perform(Documents.makeContract, ["input": contract])
    ids["Contract"] = made["contract.id"].string
    let done = try await household.addChore("\(capital)done", for: [mia])
    _ = try await household.assign([(done, 2)], to: mia)
    let reward: Value = ["contractId": .string(ids["Contract"] ?? ""), "level": 1]
    let redeemed = try await child.perform(Documents.redeemReward, ["input": reward])
    #expect(redeemed.userErrors == [], "\(redeemed)")
    let handedOut = try await parent.perform(Documents.handOutReward, ["input": reward])
    #expect(handedOut.userErrors == [], "\(handedOut)")
    let good = try await household.addChore("\(capital)good", for: [mia])
    _ = try await child.perform(Documents.finishChore, ["id": .string(good)])
    let approved = try await parent.perform(Documents.approveChore, ["input": ["id": .string(good)]])
    #expect(approved.userErrors == [], "\(approved)")
    try await addCorrection(capital, of: mia)
    let back = try await household.addChore("\(capital)back", for: [mia])
    let finished = try await child.perform(Documents.finishChore, ["id": .string(back)])
    #expect(finished.userErrors == [], "\(finished)")
    let comment: Value = ["id": .string(back), "comment": .string("\(capital)comment")]
    let returned = try await parent.perform(Documents.returnChore, ["input": comment])
    #expect(returned.userErrors == [], "\(returned)")
    let gone = try await household.addChild("\(capital)gone")
    let removed = try await household.addChore("\(capital)removed")
    _ = try await household.assign([(removed, 1)], to: mia)
    // The points of a deleted chore still name it.
    let given = try await household.assign([(removed, 3)], to: gone)
    ids["FinishedChore"] = given["finishedChores.0.id"].string
    _ = try await parent.perform(Documents.removeChore, ["id": .string(removed)])
    _ = try await parent.perform(Documents.removeChild, ["id": .string(gone)])
    let deleted = try await household.addChild("\(capital)deleted")
    let outcome = try await household.deleteChild(deleted)
    #expect(outcome.userErrors == [], "\(outcome)")
    ids["DeletedChild"] = deleted
  }

  /// The points of a chore are taken back in part. The sibling has an entry that the child does not see.
  private mutating func addCorrection(_ capital: String, of mia: String) async throws {
    let entries = try await household.parent.ask(Documents.pointEntries, ["id": .string(mia)])
    ids["PointEntry"] = entries["data.node.pointEntries.nodes.1.id"].string
    let correction: Value = [
      "memberId": .string(mia), "entryId": .string(ids["PointEntry"] ?? ""), "points": -1,
      "reason": .string("\(capital)reason"),
    ]
    let corrected = try await household.parent.perform(Documents.correctPoints, ["input": correction])
    #expect(corrected.userErrors == [], "\(corrected)")
    let bonus: Value = [
      "memberId": .string(ids["Sibling"] ?? ""), "points": 1, "reason": .string("\(capital)bonus"),
    ]
    _ = try await household.parent.perform(Documents.correctPoints, ["input": bonus])
  }

  private mutating func addFriends(_ capital: String, _ server: TestServer) async throws {
    let group = try await household.createGroup(
      "\(capital)group",
      description: "\(capital)purpose",
      hometown: "\(capital)place",
      sharing: ["SCHOOL"]
    )
    ids["Group"] = group
    ids["Friend"] = friend.personID
    try await friend.join(group)
    ids["Contact"] = try await household.befriend(friend, sharing: ["PERSONAL"], for: ["WORK"])
    let leaving = try await Household("\(capital)leaving Friend", on: server)
    let contact = try await leaving.befriend(household)
    _ = try await leaving.parent.perform(Documents.removeContact, ["id": .string(contact)])
    let circle = try await friend.createGroup("\(capital)circle")
    try await friend.invite([household], to: circle)
    ids["Circle"] = circle
    try await addRequests(capital)
    let accepting = try await Household("\(capital)accepting Friend", on: server)
    _ = try await household.request(accepting)
    let asked = try await accepting.requests()["nodes.0.id"]
    _ = try await accepting.parent.perform(Documents.acceptContact, ["id": asked, "share": []])
    let invitation: Value = [
      "email": .string("\(word)guest@example.com"), "offer": ["WORK"], "message": .string("\(capital)welcome"),
    ]
    let sent = try await household.parent.perform(Documents.inviteContact, invitation)
    ids["SentRequest"] = sent["contactRequest.id"].string
    for request in ["ContactRequest", "OtherRequest", "SuitorRequest"] {
      let suitor = try await Household("\(capital)suitor \(request)", on: server)
      ids[request] = try await suitor.request(household, offering: ["WORK"])
      ids["Suitor"] = suitor.personID
    }
  }

  /// The causes of notifications of parents: some have joined and left, and another family has not confirmed them.
  private static func partings(of household: Household, _ word: String, on server: TestServer) async throws {
    let host = try await Household("Host \(word)", on: server)
    let invited = try await host.parent.perform(Documents.inviteParent, ["email": .string("for.\(household.email)")])
    let token = try await server.mail(to: "for.\(household.email)", about: "invites").token
    _ = try await household.parent.perform(Documents.acceptInvitation, ["token": .string(token)])
    _ = try await host.parent.perform(Documents.cancelInvitation, ["id": invited["invitation.id"]])
    let leaver = try await Household("Leaver \(word)", on: server)
    try await household.admit(leaver, on: server)
    let left = try await leaver.parent.perform(Documents.leaveFamily, ["password": .string(Household.password)])
    try #require(left.userErrors.isEmpty, "\(left)")
    let removed = try await Household("Removed \(word)", on: server)
    try await household.admit(removed, on: server)
    let removal = try await removed.requestRemoval(of: household)["removal.id"]
    _ = try await household.parent.perform(Documents.objectToRemoval, ["id": removal])
    let outcome = try await household.requestRemoval(of: removed)
    try #require(outcome.userErrors.isEmpty, "\(outcome)")
  }

  /// Groups that the parent requests to join: one request is pending, one was accepted and the parent made an admin,
  /// and from one group the parent was removed.
  private mutating func addRequests(_ capital: String) async throws {
    let club = try await friend.createGroup("\(capital)club", access: "BY_REQUEST")
    _ = try await household.askToJoin(club)
    ids["Club"] = club
    let letting = try await friend.createGroup("Letting in", access: "BY_REQUEST")
    try await friend.answer(try await household.askToJoin(letting), Documents.acceptJoinRequest)
    _ = try await friend.setRole("ADMIN", of: household, in: letting)
    let removing = try await friend.createGroup("Removing")
    try await household.join(removing)
    _ = try await friend.removeMember(household, from: removing)
  }

  mutating func name(_ name: String, _ id: String) { ids[name] = id }

  /// On new devices, since the old ones' tokens are over.
  mutating func signInAgain(on server: TestServer) async throws {
    var input = A02SignInTests.input(household.email, Household.password)["input"]
    input = input.setting("device", .string("\(word)device"))
    let signedIn = try await server.visitor.perform(Documents.signIn, ["input": input])
    let token = try #require(signedIn["credentials.accessToken"].string, "\(signedIn)")
    household = Household(household, parent: server.visitor.with(token: token))
    child = try await household.signIn("\(word)username")
    sibling = try await household.signIn("\(word)brother")
    try await collect()
  }

  /// The ids of what others gave it.
  private mutating func collect() async throws {
    _ = try await household.parent.register(D15DeviceTests.subscription("\(word)parent"), name: "\(word)device")
    let device = try await child.register(D15DeviceTests.subscription("\(word)child"), name: "\(word)tablet")
    ids["ChildDevice"] = device["device.id"].string
    let settings: Value = ["muted": ["CONTACT_REMOVED"], "quietHours": ["from": "22:00", "until": "07:00"]]
    _ = try await household.parent.perform(Documents.updateNotificationSettings, ["input": settings])
    let answer = try await household.parent.ask(
      """
      { viewer { ... on Account { sessions { __typename id } devices { __typename id } notifications { nodes { __typename id } } } }
        family { reminders { nodes { __typename id } } } }
      """
    )
    try #require(answer["errors"] == .null, "\(answer)")
    gather(answer)
    let own = "{ viewer { ... on Child { notifications { nodes { __typename id } } } } }"
    gather(try await self.child.ask(own))
    let child: Value = ["id": .string(ids["Child"] ?? "")]
    let document = "query ($id: ID!) { family { child(id: $id) { sessions { id } } } }"
    ids["ChildSession"] = try await household.parent.ask(document, child)["data.family.child.sessions.0.id"].string
  }

  private mutating func gather(_ value: Value) {
    if let type = value["__typename"].string, let id = value["id"].string, ids[type] == nil { ids[type] = id }
    if case .object(let members) = value { for name in members.keys.sorted() { gather(value[name]) } }
    for item in value.list { gather(item) }
  }
}

extension AuthorisationFamily {
  /// One of its ids for each argument that accepts one.
  func ids(of lines: [String: ArgumentLine]) -> [String: String] {
    lines.compactMapValues { line in if case .id(let type) = line { ids[type] } else { nil } }
  }
}
