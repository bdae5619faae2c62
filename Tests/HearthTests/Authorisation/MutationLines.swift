/// Who may call a mutation, and with what.
struct MutationLine {
  enum Who {
    /// Who has not signed in too: it is the token, code or password given that counts.
    case everybody
    /// Parents, and of children's things the child.
    case members
    case parents
  }

  let name: String
  let who: Who
  /// Good but for the ids: `$Chore` stands for the id of a chore.
  let variables: Value
  /// The paths of ids that may be of somebody who is no relation: whoever can be found can be asked.
  let open: Set<String>

  init(_ name: String, _ who: Who, _ variables: Value = [:], open: Set<String> = []) {
    self.name = name
    self.who = who
    self.variables = variables
    self.open = open
  }

  /// One for each mutation: a test fails for those without.
  static let all = [
    MutationLine("register", .everybody),
    MutationLine("signIn", .everybody),
    MutationLine("signInChild", .everybody),
    MutationLine("signInWithIdentity", .everybody),
    MutationLine("signInWithCode", .everybody),
    MutationLine("refreshSession", .everybody),
    MutationLine("requestPasswordReset", .everybody),
    MutationLine("resetPassword", .everybody),
    MutationLine("verifyEmail", .everybody),
    MutationLine("signOut", .members),
    MutationLine("endSession", .members, ["id": "$Session"]),
    MutationLine("linkIdentity", .parents, ["input": ["provider": "APPLE", "token": "x"]]),
    MutationLine("unlinkIdentity", .parents, ["provider": "APPLE"]),
    MutationLine("changePassword", .parents, ["oldPassword": "not the one", "newPassword": "another good one"]),
    MutationLine("resendVerificationEmail", .parents),
    MutationLine("deactivateAccount", .parents, ["password": "not the one"]),
    MutationLine("inviteParent", .parents, ["email": "new@example.com"]),
    MutationLine("acceptFamilyInvitation", .parents, ["token": "x"]),
    MutationLine("updateAccount", .parents, ["input": ["name": "Mine Now"]]),
    MutationLine("updateFamily", .parents, ["input": ["name": "Mine Now"]]),
    MutationLine("addChild", .parents, ["input": ["name": "New", "birth": ["age": 3]]]),
    MutationLine("updateChild", .members, ["input": ["id": "$Child", "name": "Mine Now"]]),
    MutationLine("removeChild", .parents, ["id": "$Child"]),
    MutationLine("addChore", .parents, ["input": ["name": "New", "assigneeIds": ["$Child"]]]),
    MutationLine("updateChore", .parents, ["input": ["id": "$Chore", "name": "Mine Now", "assigneeIds": ["$Child"]]]),
    MutationLine("removeChore", .parents, ["id": "$Chore"]),
    MutationLine(
      "assignPoints",
      .parents,
      ["input": ["childId": "$Child", "chores": [["choreId": "$Chore", "points": 1]]]]
    ),
    MutationLine("preloadChores", .parents, ["input": ["frequency": "WEEKLY"]]),
    MutationLine("makeContract", .parents, ["input": ["childId": "$Child", "maxPoints": 5, "levels": []]]),
    MutationLine("endContract", .parents, ["id": "$Contract"]),
    MutationLine("setReminder", .members, ["input": ["choreId": "$Chore", "remindAt": "2026-12-01T00:00:00Z"]]),
    MutationLine("answerReminder", .members, ["input": ["id": "$Reminder", "answer": "IGNORE"]]),
    MutationLine("removeReminder", .members, ["id": "$Reminder"]),
    MutationLine("addItem", .parents, ["input": ["name": "New"]]),
    MutationLine("updateItem", .parents, ["input": ["id": "$Item", "name": "Mine Now"]]),
    MutationLine("removeItem", .parents, ["id": "$Item"]),
    MutationLine("updateProfile", .parents, ["input": ["company": "Mine Now"]]),
    MutationLine("addContactInfo", .parents, ["scope": "WORK", "info": ["email": "new@example.com"]]),
    MutationLine("updateContactInfo", .parents, ["id": "$ContactInfo", "info": ["email": "new@example.com"]]),
    MutationLine("removeContactInfo", .parents, ["id": "$ContactInfo"]),
    MutationLine("requestContact", .parents, ["personId": "$Person", "offer": ["WORK"]], open: ["personId"]),
    MutationLine("inviteContact", .parents, ["email": "new@example.com", "offer": ["WORK"]]),
    MutationLine("acceptContact", .parents, ["requestId": "$ContactRequest", "share": ["WORK"]]),
    MutationLine("rejectContact", .parents, ["requestId": "$ContactRequest"]),
    MutationLine("cancelContactRequest", .parents, ["requestId": "$ContactRequest"]),
    MutationLine("setSharing", .parents, ["contactId": "$Contact", "scopes": ["WORK"]]),
    MutationLine("removeContact", .parents, ["id": "$Contact"]),
    MutationLine("matchAddressBook", .parents, ["entries": [["name": "New", "emails": ["new@example.com"]]]]),
    MutationLine("createGroup", .parents, ["input": ["name": "New"]]),
    MutationLine("updateGroup", .parents, ["input": ["id": "$Group", "name": "Mine Now"]], open: ["input.id"]),
    MutationLine("deleteGroup", .parents, ["id": "$Group"], open: ["id"]),
    MutationLine(
      "inviteToGroup",
      .parents,
      ["groupId": "$Group", "personIds": ["$Person"]],
      open: ["groupId", "personIds.0"]
    ),
    MutationLine("joinGroup", .parents, ["groupId": "$Group"], open: ["groupId"]),
    MutationLine("leaveGroup", .parents, ["groupId": "$Group"], open: ["groupId"]),
    MutationLine(
      "removeGroupMember",
      .parents,
      ["groupId": "$Group", "personId": "$Person"],
      open: ["groupId", "personId"]
    ),
    MutationLine(
      "setGroupRole",
      .parents,
      ["groupId": "$Group", "personId": "$Person", "role": "MEMBER"],
      open: ["groupId", "personId"]
    ),
    MutationLine("markNotificationsRead", .parents, ["ids": ["$ContactRequestNotification"]]),
  ]

  /// The paths of its ids, and of what type each is.
  var places: [String: String] { Self.places(in: variables, "") }

  private static func places(in value: Value, _ path: String) -> [String: String] {
    switch value {
    case .string(let text) where text.hasPrefix("$"): [String(path.dropFirst()): String(text.dropFirst())]
    case .object(let members):
      members.reduce(into: [:]) { $0.merge(places(in: $1.value, "\(path).\($1.key)")) { one, _ in one } }
    case .array(let items):
      items.enumerated().reduce(into: [:]) {
        $0.merge(places(in: $1.element, "\(path).\($1.offset)")) { one, _ in one }
      }
    default: [:]
    }
  }

  /// The variables with ids in their places.
  func variables(_ ids: [String: String]) -> Value { Self.filled(variables, "", ids) }

  private static func filled(_ value: Value, _ path: String, _ ids: [String: String]) -> Value {
    switch value {
    case .string(let text) where text.hasPrefix("$"): .string(ids[String(path.dropFirst())] ?? text)
    case .object(let members):
      .object(Dictionary(uniqueKeysWithValues: members.map { ($0, filled($1, "\(path).\($0)", ids)) }))
    case .array(let items): .array(items.enumerated().map { filled($1, "\(path).\($0)", ids) })
    default: value
    }
  }
}
