import GraphQL
import Testing

@testable import Hearth

@Suite("Deprecated names and forms keep working")
struct DeprecatedFormTests {
  /// A mutation that is rejected in both forms, with the paths in each.
  struct Rejected: Sendable, CustomTestStringConvertible {
    let current: String
    let paths: [String]
    let deprecated: String
    let deprecatedPaths: [String]

    var testDescription: String { current }

    init(_ current: String, _ paths: [String], _ deprecated: String, _ deprecatedPaths: [String]) {
      self.current = current
      self.paths = paths
      self.deprecated = deprecated
      self.deprecatedPaths = deprecatedPaths
    }
  }

  static let rejected = [
    Rejected(
      #"changePassword(input: {oldPassword: "wrong", newPassword: "short"})"#,
      ["input.newPassword TOO_SHORT", "input.oldPassword WRONG_CREDENTIALS"],
      #"changePassword(oldPassword: "wrong", newPassword: "short")"#,
      ["newPassword TOO_SHORT", "oldPassword WRONG_CREDENTIALS"]
    ),
    Rejected(
      #"resetPassword(input: {token: "none", newPassword: "short"})"#,
      ["input.newPassword TOO_SHORT", "input.token NOT_FOUND"],
      #"resetPassword(token: "none", newPassword: "short")"#,
      ["newPassword TOO_SHORT", "token NOT_FOUND"]
    ),
    Rejected(
      #"signInWithCode(input: {token: "none"})"#,
      ["input.token NOT_FOUND"],
      #"signInWithCode(token: "none")"#,
      ["token NOT_FOUND"]
    ),
    Rejected(
      #"addContactInfo(input: {scope: WORK, info: {phone: {number: "none"}}})"#,
      ["input.info.phone.number INVALID"],
      #"addContactInfo(scope: WORK, info: {phone: {number: "none"}})"#,
      ["info.phone.number INVALID"]
    ),
    Rejected(
      #"updateContactInfo(input: {id: "none", info: {email: "none"}})"#,
      ["input.id NOT_FOUND", "input.info.email INVALID"],
      #"updateContactInfo(id: "none", info: {email: "none"})"#,
      ["id NOT_FOUND", "info.email INVALID"]
    ),
    Rejected(
      #"requestContact(input: {personId: "none", sharing: [WORK]})"#,
      ["input.personId NOT_FOUND"],
      #"requestContact(personId: "none", offer: [WORK])"#,
      ["personId NOT_FOUND"]
    ),
    Rejected(
      #"inviteContact(input: {email: "none", sharing: []})"#,
      ["input.email INVALID"],
      #"inviteContact(email: "none", offer: [])"#,
      ["email INVALID"]
    ),
    Rejected(
      #"acceptContactRequest(input: {requestId: "none", sharing: []})"#,
      ["input.requestId NOT_FOUND"],
      #"acceptContact(requestId: "none", share: [])"#,
      ["requestId NOT_FOUND"]
    ),
    Rejected(
      #"rejectContactRequest(requestId: "none")"#,
      ["requestId NOT_FOUND"],
      #"rejectContact(requestId: "none")"#,
      ["requestId NOT_FOUND"]
    ),
    Rejected(
      #"updateContact(input: {id: "none", sharing: []})"#,
      ["input.id NOT_FOUND"],
      #"setSharing(contactId: "none", scopes: [])"#,
      ["contactId NOT_FOUND"]
    ),
    Rejected(
      #"inviteToGroup(input: {groupId: "none", personIds: []})"#,
      ["input.groupId NOT_FOUND", "input.personIds BLANK"],
      #"inviteToGroup(groupId: "none", personIds: [])"#,
      ["groupId NOT_FOUND", "personIds BLANK"]
    ),
    Rejected(
      #"removeGroupMember(input: {groupId: "none", personId: "none"})"#,
      ["input.groupId NOT_FOUND"],
      #"removeGroupMember(groupId: "none", personId: "none")"#,
      ["groupId NOT_FOUND"]
    ),
    Rejected(
      #"setGroupRole(input: {groupId: "none", personId: "none", role: INVITED})"#,
      ["input.groupId NOT_FOUND", "input.role NOT_ALLOWED"],
      #"setGroupRole(groupId: "none", personId: "none", role: INVITED)"#,
      ["groupId NOT_FOUND", "role NOT_ALLOWED"]
    ),
    Rejected(
      #"cancelFamilyInvitation(invitationId: "none")"#,
      ["invitationId NOT_FOUND"],
      #"cancelFamilyInvitation(input: {invitationId: "none"})"#,
      ["input.invitationId NOT_FOUND"]
    ),
    Rejected(
      #"leaveFamily(password: "wrong")"#,
      ["password WRONG_CREDENTIALS"],
      #"leaveFamily(input: {password: "wrong"})"#,
      ["input.password WRONG_CREDENTIALS"]
    ),
    // An error of the whole input.
    Rejected(
      "leaveFamily(password: \"\(Household.password)\")",
      ["password NOT_ALLOWED"],
      "leaveFamily(input: {password: \"\(Household.password)\"})",
      ["input NOT_ALLOWED"]
    ),
    Rejected(
      #"objectToParentRemoval(removalId: "none")"#,
      ["removalId NOT_FOUND"],
      #"objectToParentRemoval(input: {removalId: "none"})"#,
      ["input.removalId NOT_FOUND"]
    ),
    Rejected(
      #"cancelParentRemoval(removalId: "none")"#,
      ["removalId NOT_FOUND"],
      #"cancelParentRemoval(input: {removalId: "none"})"#,
      ["input.removalId NOT_FOUND"]
    ),
    Rejected(
      #"acceptGroupJoinRequest(requestId: "none")"#,
      ["requestId NOT_FOUND"],
      #"acceptGroupJoinRequest(input: {requestId: "none"})"#,
      ["input.requestId NOT_FOUND"]
    ),
    Rejected(
      #"rejectGroupJoinRequest(requestId: "none")"#,
      ["requestId NOT_FOUND"],
      #"rejectGroupJoinRequest(input: {requestId: "none"})"#,
      ["input.requestId NOT_FOUND"]
    ),
    Rejected(
      #"updateChildProfile(input: {id: "none", name: " "})"#,
      ["input.id NOT_FOUND", "input.name BLANK"],
      #"updateChild(input: {id: "none", name: " "})"#,
      ["input.id NOT_FOUND", "input.name BLANK"]
    ),
    Rejected(
      #"makeContract(input: {childId: "none", maxPoints: 9, levels: [{points: 1}, {points: 1, reward: " "}]})"#,
      ["input.childId NOT_FOUND", "input.levels.0.reward BLANK", "input.levels.1.reward BLANK"],
      #"makeContract(input: {childId: "none", maxPoints: 9, levels: [{points: 1, award: " "}]})"#,
      ["input.childId NOT_FOUND", "input.levels.0.award BLANK"]
    ),
  ]

  @Test func `both forms reject the same, each with its own paths`() async throws {
    let coordinates = try SchemaCoordinates()
    let names = Set(Self.rejected.map { String($0.deprecated.prefix { $0 != "(" }) })
    #expect(names.isSuperset(of: MutationLine.deprecated.map(\.name)))
    #expect(coordinates.mutations.count > names.count)
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      for one in Self.rejected {
        for (form, paths) in [(one.current, one.paths), (one.deprecated, one.deprecatedPaths)] {
          let outcome = try await ada.parent.perform("mutation { \(form) { userErrors { field code } } }")
          #expect(outcome.userErrors == paths, "\(form): \(outcome)")
        }
      }
    }
  }

  /// Values that neither form requires.
  private static let optional: Set = ["updateContactInfo.info"]

  /// Arguments beside a deprecated form are nullable, so validation does not require them.
  @Test func `without the values of either form, or with those of both, a mutation is an error`() async throws {
    let coordinates = try SchemaCoordinates()
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      func code(_ document: String, _ variables: Value) async throws -> [String] {
        let answer = try await ada.parent.post(document, variables)
        #expect(answer.json["data"] == .null, "\(document): \(answer.text)")
        return answer.codes
      }
      var tried = 0
      for line in MutationLine.deprecated {
        let mutation = try #require(coordinates.mutations.first { $0.name == line.name })
        guard mutation.deprecationReason == nil, case .object(let given) = line.variables([:]) else { continue }
        let document = coordinates.document(mutation, deprecated: true)
        for name in given.keys where !Self.optional.contains("\(line.name).\(name)") {
          tried += 1
          let rest = Value.object(given.filter { $0.key != name })
          #expect(try await code(document, rest) == ["BAD_USER_INPUT"], "\(line.name) without \(name)")
        }
        let current = try #require(MutationLine.all.first { $0.name == line.name })
        guard case .object(let values) = current.variables([:]) else { continue }
        let all = mutation.arguments.map { "$\($0.name): \(coordinates.schema.name(of: $0.type))" }
        let both = mutation.arguments.map { "\($0.name): $\($0.name)" }
        let combined =
          "mutation (\(all.joined(separator: ", "))) { "
          + "\(line.name)(\(both.joined(separator: ", "))) { userErrors { code } } }"
        let sent = Value.object(given.merging(values) { $1 })
        #expect(try await code(combined, sent) == ["BAD_USER_INPUT"], "\(line.name) in both forms")
      }
      #expect(tried > 20)
    }
  }

  @Test func `a field has the same value under its former name`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia")
      let contract = """
        mutation ($input: MakeContractInput!) { makeContract(input: $input) {
          contract { levels { reward award } } userErrors { code } } }
        """
      let levels: Value = [["points": 1, "reward": "Sticker"], ["points": 2, "award": "Cinema"]]
      let made = try await ada.parent.perform(
        contract,
        ["input": ["childId": .string(mia), "maxPoints": 5, "levels": levels]]
      )
      let rewards: Value = [["reward": "Sticker", "award": "Sticker"], ["reward": "Cinema", "award": "Cinema"]]
      #expect(made["contract.levels"] == rewards, "\(made)")
      let chore = try await ada.addChore(for: [mia])
      _ = try await ada.parent.perform(
        Documents.assignPoints,
        ["input": ["childId": .string(mia), "chores": [["choreId": .string(chore), "points": 1]]]]
      )
      let reminder = try await ada.setReminder(of: chore, at: "2026-12-01T17:00:00Z")
      let read = """
        { family {
          children { rewardLevel { reward } prizeLevel { award } }
          statuses: reminders(statuses: [SCHEDULED]) { nodes { id } }
          status: reminders(status: [SCHEDULED]) { nodes { id } }
          others: reminders(statuses: [DUE]) { nodes { id } } } }
        """
      let family = try await ada.parent.ask(read)["data.family"]
      #expect(family["children.0"] == ["rewardLevel": ["reward": "Sticker"], "prizeLevel": ["award": "Sticker"]])
      #expect(family["statuses.nodes"] == [["id": .string(reminder)]])
      #expect(family["status"] == family["statuses"])
      #expect(family["others.nodes"] == [])
    }
  }

  @Test func `what is shared has one name, from the request to the contact`() async throws {
    try await TestServer.run { server in
      let ada = try await Household("Ada Lovelace", on: server)
      let grace = try await Household("Grace Hopper", on: server)
      let request = """
        mutation ($input: RequestContactInput!) { requestContact(input: $input) { contactRequest {
          id sharing offered requestedSharing requested } userErrors { field code } } }
        """
      let sent = try await ada.parent.perform(
        request,
        ["input": ["personId": .string(grace.personID), "sharing": ["WORK"], "requestedSharing": ["PERSONAL"]]]
      )["contactRequest"]
      #expect(sent["sharing"] == ["WORK"] && sent["offered"] == ["WORK"], "\(sent)")
      #expect(sent["requestedSharing"] == ["PERSONAL"] && sent["requested"] == ["PERSONAL"], "\(sent)")
      let accept = """
        mutation ($input: AcceptContactRequestInput!) { acceptContactRequest(input: $input) {
          contact { id sharing sharedWithViewer } userErrors { field code } } }
        """
      let contact = try await grace.parent.perform(
        accept,
        ["input": ["requestId": sent["id"], "sharing": ["PERSONAL"]]]
      )["contact"]
      #expect(contact["sharing"] == ["PERSONAL"] && contact["sharedWithViewer"] == ["WORK"], "\(contact)")
      let update = """
        mutation ($input: UpdateContactInput!) { updateContact(input: $input) { contact { sharing } userErrors { code } } }
        """
      let changed = try await grace.parent.perform(update, ["input": ["id": contact["id"], "sharing": ["SCHOOL"]]])
      #expect(changed["contact.sharing"] == ["SCHOOL"], "\(changed)")
    }
  }

  @Test func `an adult is named by the account's id too, and shown by the person's`() async throws {
    try await TestServer.run { server in
      let ada = try await Household("Ada Lovelace", on: server)
      let grace = try await Household("Grace Hopper", on: server)
      #expect(ada.accountID != ada.personID)
      let chore = try await ada.addChore(for: [ada.accountID])
      let read = "query ($id: ID!) { node(id: $id) { ... on Chore { assignees { id } } } }"
      let assignees = try await ada.parent.ask(read, ["id": .string(chore)])["data.node.assignees"]
      #expect(assignees == [["id": .string(ada.personID)]])
      let filtered = "query ($id: ID!) { family { chores(filter: {assigneeId: $id}) { nodes { id } } } }"
      for id in [ada.accountID, ada.personID] {
        let chores = try await ada.parent.ask(filtered, ["id": .string(id)])["data.family.chores.nodes"]
        #expect(chores == [["id": .string(chore)]])
      }
      let group = try await ada.createGroup("Readers")
      let role = """
        mutation ($input: SetGroupRoleInput!) { setGroupRole(input: $input) { group { id } userErrors { field code } } }
        """
      // The only admin is found, and so cannot become a member.
      let input: Value = ["groupId": .string(group), "personId": .string(ada.accountID), "role": "MEMBER"]
      #expect(try await ada.parent.perform(role, ["input": input]).userErrors == ["input.role NOT_ALLOWED"])
      let request =
        "mutation ($input: RequestContactInput!) { requestContact(input: $input) { userErrors { field code } } }"
      for (person, errors) in [(ada.accountID, ["input.personId NOT_ALLOWED"]), (grace.accountID, [])] {
        let outcome = try await ada.parent.perform(request, ["input": ["personId": .string(person), "sharing": []]])
        #expect(outcome.userErrors == errors)
      }
    }
  }
}
