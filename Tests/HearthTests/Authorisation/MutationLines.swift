/// A valid input of a mutation, and the callers that can use it. `$Chore` stands for the id of a chore, `%reset` for a
/// secret.
struct MutationLine {
  enum Who {
    /// Anonymous callers too: the token, code or password that is given counts.
    case everybody
    /// Parents, and for a child's own data the child.
    case members
    case parents
  }

  let name: String
  let who: Who
  /// The caller who performs it, if it is not the family's parent.
  let by: String
  let variables: Value
  /// The paths of ids that everybody may have: people and groups can be found. Callers who cannot change them get an
  /// error.
  let open: Set<String>

  init(_ name: String, _ who: Who, _ variables: Value = [:], by: String = "parent", open: Set<String> = []) {
    self.name = name
    self.who = who
    self.by = by
    self.variables = variables
    self.open = open
  }

  /// One for each mutation, or several: a test fails for those without. In this order all of them can be done in one
  /// world.
  static let all: [MutationLine] = parting + approval + identity + family + contacts + groups + removals

  /// The deprecated names and forms of mutations. Each has the same effect as a line above, so these are not performed
  /// but only rejected: for callers without the right, and for ids of others.
  static let deprecated: [MutationLine] = [
    MutationLine("cancelParentRemoval", .parents, ["input": ["removalId": "$ParentRemoval"]], by: "partner"),
    MutationLine("objectToParentRemoval", .parents, ["input": ["removalId": "$ParentRemoval"]], by: "partner"),
    MutationLine("cancelFamilyInvitation", .parents, ["input": ["invitationId": "$FamilyInvitation"]]),
    MutationLine("signInWithCode", .everybody, ["token": "%code"], by: "visitor"),
    MutationLine("resetPassword", .everybody, ["token": "%reset", "newPassword": "another good one"], by: "visitor"),
    MutationLine("changePassword", .parents, ["oldPassword": "%password", "newPassword": "another good one"]),
    MutationLine("updateChild", .members, ["input": ["id": "$Child", "name": "Mine Now"]]),
    MutationLine("addContactInfo", .parents, ["scope": "WORK", "info": ["email": "new@example.com"]]),
    MutationLine("updateContactInfo", .parents, ["id": "$ContactInfo", "info": ["email": "new@example.com"]]),
    MutationLine("requestContact", .parents, ["personId": "$Somebody", "offer": ["WORK"]], open: ["personId"]),
    MutationLine("requestContact", .parents, ["personId": "$Suitor", "offer": ["WORK"]], open: ["personId"]),
    MutationLine("inviteContact", .parents, ["email": "new@example.com", "offer": ["WORK"]]),
    MutationLine("acceptContact", .parents, ["requestId": "$ContactRequest", "share": ["WORK"]]),
    MutationLine("rejectContact", .parents, ["requestId": "$OtherRequest"]),
    MutationLine("setSharing", .parents, ["contactId": "$Contact", "scopes": ["WORK"]]),
    MutationLine(
      "inviteToGroup",
      .parents,
      ["groupId": "$Group", "personIds": ["$Somebody"]],
      open: ["groupId", "personIds.0"]
    ),
    MutationLine("acceptGroupJoinRequest", .parents, ["input": ["requestId": "$JoinRequest"]]),
    MutationLine("rejectGroupJoinRequest", .parents, ["input": ["requestId": "$OtherJoinRequest"]]),
    MutationLine(
      "setGroupRole",
      .parents,
      ["groupId": "$Group", "personId": "$Friend", "role": "ADMIN"],
      open: ["groupId", "personId"]
    ),
    MutationLine(
      "removeGroupMember",
      .parents,
      ["groupId": "$Group", "personId": "$Friend"],
      open: ["groupId", "personId"]
    ),
    MutationLine("leaveFamily", .parents, ["input": ["password": password]], by: "partner"),
  ]

  /// A removal is pending first. Until it ends, other lines are rejected.
  private static let parting = [
    MutationLine("cancelParentRemoval", .parents, ["removalId": "$ParentRemoval"], by: "partner"),
    MutationLine("requestParentRemoval", .parents, ["input": ["personId": "$Partner", "password": password]]),
    MutationLine("objectToParentRemoval", .parents, ["removalId": "$ParentRemoval"], by: "partner"),
    MutationLine(
      "confirmFamilyInvitation",
      .parents,
      ["input": ["invitationId": "$ClaimedInvitation", "personId": "$Waiting"]]
    ),
    MutationLine("cancelFamilyInvitation", .parents, ["invitationId": "$FamilyInvitation"]),
  ]
  private static let password = Value.string(Household.password)

  /// Before a reset of the password, which ends the child's session.
  private static let approval = [
    MutationLine("finishChore", .members, ["id": "$Chore"], by: "child"),
    MutationLine("reopenChore", .members, ["id": "$Chore"], by: "child"),
    MutationLine("finishChore", .members, ["id": "$Chore"], by: "child"),
    MutationLine("returnChore", .parents, ["input": ["id": "$Chore", "comment": "Once more"]]),
    MutationLine("finishChore", .members, ["id": "$Chore"], by: "child"),
    MutationLine("approveChore", .parents, ["input": ["id": "$Chore", "points": 1]]),
    MutationLine("markNotificationsRead", .members, ["ids": ["$ChoreReturnedNotification"]], by: "child"),
    MutationLine("redeemReward", .members, ["input": ["contractId": "$Contract", "level": 2]], by: "child"),
    MutationLine("handOutReward", .parents, ["input": ["contractId": "$Contract", "level": 2]]),
  ]

  private static let identity = [
    MutationLine("register", .everybody, ["input": Household.form("new@example.com")], by: "visitor"),
    MutationLine("signIn", .everybody, ["input": ["email": "%email", "password": "%password"]], by: "visitor"),
    MutationLine(
      "signInChild",
      .everybody,
      ["input": ["username": "%username", "password": "%password"]],
      by: "visitor"
    ),
    MutationLine(
      "signInWithIdentity",
      .everybody,
      ["input": ["provider": "GOOGLE", "token": "%newcomer"]],
      by: "visitor"
    ),
    MutationLine("signInWithCode", .everybody, ["input": ["token": "%code"]], by: "visitor"),
    MutationLine("refreshSession", .everybody, ["refreshToken": "%refresh"], by: "visitor"),
    MutationLine("requestPasswordReset", .everybody, ["email": "%email"], by: "visitor"),
    MutationLine(
      "resetPassword",
      .everybody,
      ["input": ["token": "%reset", "newPassword": "another good one"]],
      by: "visitor"
    ),
    MutationLine("resendVerificationEmail", .parents, by: "stranger"),
    MutationLine("verifyEmail", .everybody, ["token": "%verification"]),
    MutationLine("stopInvitations", .everybody, ["token": "%stop"], by: "visitor"),
    MutationLine(
      "registerDevice",
      .members,
      ["input": ["address": D15DeviceTests.subscription("another")]]
    ),
    MutationLine("updateNotificationSettings", .members, ["input": ["muted": ["REMINDER"]]]),
    MutationLine("updateNotificationSettings", .members, ["input": ["muted": ["REMINDER"]]], by: "child"),
    MutationLine("unregisterDevice", .members, ["id": "$Device"]),
    MutationLine("unregisterDevice", .members, ["id": "$ChildDevice"]),
    MutationLine("endSession", .parents, ["id": "$Session"]),
    MutationLine("endSession", .parents, ["id": "$ChildSession"]),
    MutationLine("linkIdentity", .parents, ["input": ["provider": "APPLE", "token": "%linked"]]),
    MutationLine("unlinkIdentity", .parents, ["provider": "APPLE"]),
    MutationLine(
      "changePassword",
      .parents,
      ["input": ["oldPassword": "%password", "newPassword": "another good one"]]
    ),
    MutationLine("updateAccount", .parents, ["input": ["name": "Mine Now"]]),
    MutationLine("changeEmail", .parents, ["input": ["email": "changed@example.com", "password": "another good one"]]),
    MutationLine("confirmEmailChange", .everybody, ["token": "%emailChange"]),
    MutationLine("inviteParent", .parents, ["email": "invited@example.com"]),
    MutationLine("acceptFamilyInvitation", .parents, ["token": "%invitation"], by: "asked"),
  ]

  private static let family = [
    MutationLine("updateFamily", .parents, ["input": ["name": "Mine Now"]]),
    MutationLine("addChild", .parents, ["input": ["name": "New", "birth": ["age": 3]]]),
    MutationLine("updateChildProfile", .members, ["input": ["id": "$Child", "name": "Mine Now"]]),
    MutationLine("addChore", .parents, ["input": ["name": "New", "assigneeIds": ["$Child"]]]),
    MutationLine("addChore", .parents, ["input": ["name": "New", "frequency": "DAILY", "assigneeIds": ["$Child"]]]),
    MutationLine("updateChore", .parents, ["input": ["id": "$Chore", "name": "Mine Now", "assigneeIds": ["$Child"]]]),
    MutationLine(
      "assignPoints",
      .parents,
      ["input": ["childId": "$Child", "chores": [["choreId": "$Chore", "points": 1, "again": true]]]]
    ),
    MutationLine(
      "correctPoints",
      .parents,
      ["input": ["memberId": "$Child", "entryId": "$PointEntry", "points": -1, "reason": "Twice"]]
    ),
    MutationLine("preloadChores", .parents, ["input": ["frequency": "DAILY"]]),
    MutationLine("endContract", .parents, ["id": "$Contract"]),
    MutationLine("makeContract", .parents, ["input": ["childId": "$Child", "maxPoints": 5, "levels": []]]),
    MutationLine("setReminder", .members, ["input": ["choreId": "$Chore", "remindAt": "2026-12-01T00:00:00Z"]]),
    MutationLine("answerReminder", .members, ["input": ["id": "$Reminder", "answer": "IGNORE"]]),
    MutationLine("addItem", .parents, ["input": ["name": "New"]]),
    MutationLine("updateItem", .parents, ["input": ["id": "$Item", "name": "Mine Now"]]),
  ]

  private static let contacts = [
    MutationLine("updateProfile", .parents, ["input": ["company": "Mine Now"]]),
    MutationLine("addContactInfo", .parents, ["input": ["scope": "WORK", "info": ["email": "new@example.com"]]]),
    MutationLine(
      "updateContactInfo",
      .parents,
      ["input": ["id": "$ContactInfo", "info": ["email": "new@example.com"]]]
    ),
    MutationLine(
      "requestContact",
      .parents,
      ["input": ["personId": "$Somebody", "sharing": ["WORK"]]],
      open: ["input.personId"]
    ),
    MutationLine(
      "requestContact",
      .parents,
      ["input": ["personId": "$Suitor", "sharing": ["WORK"]]],
      open: ["input.personId"]
    ),
    MutationLine("inviteContact", .parents, ["input": ["email": "new@example.com", "sharing": ["WORK"]]]),
    MutationLine(
      "acceptContactRequest",
      .parents,
      ["input": ["requestId": "$ContactRequest", "sharing": ["WORK"]]]
    ),
    MutationLine("rejectContactRequest", .parents, ["requestId": "$OtherRequest"]),
    MutationLine("cancelContactRequest", .parents, ["requestId": "$SentRequest"]),
    MutationLine("updateContact", .parents, ["input": ["id": "$Contact", "sharing": ["WORK"]]]),
    MutationLine("matchAddressBook", .parents, ["entries": [["name": "Friend", "phones": ["%phone"]]]]),
    MutationLine("matchFacebookFriends", .parents, ["accessToken": "%friends"]),
    MutationLine("markNotificationsRead", .members, ["ids": ["$ContactRequestNotification"]]),
  ]

  private static let groups = [
    MutationLine("createGroup", .parents, ["input": ["name": "New"]]),
    MutationLine("updateGroup", .parents, ["input": ["id": "$Group", "name": "Mine Now"]], open: ["input.id"]),
    MutationLine(
      "inviteToGroup",
      .parents,
      ["input": ["groupId": "$Group", "personIds": ["$Somebody"]]],
      open: ["input.groupId", "input.personIds.0"]
    ),
    MutationLine("acceptGroupJoinRequest", .parents, ["requestId": "$JoinRequest"]),
    MutationLine("rejectGroupJoinRequest", .parents, ["requestId": "$OtherJoinRequest"]),
    MutationLine("joinGroup", .parents, ["groupId": "$Circle"], open: ["groupId"]),
    MutationLine("leaveGroup", .parents, ["groupId": "$Circle"], open: ["groupId"]),
    MutationLine(
      "setGroupRole",
      .parents,
      ["input": ["groupId": "$Group", "personId": "$Friend", "role": "ADMIN"]],
      open: ["input.groupId", "input.personId"]
    ),
    MutationLine(
      "removeGroupMember",
      .parents,
      ["input": ["groupId": "$Group", "personId": "$Friend"]],
      open: ["input.groupId", "input.personId"]
    ),
    MutationLine("deleteGroup", .parents, ["id": "$Group"], open: ["id"]),
  ]

  private static let removals = [
    MutationLine("removeContact", .parents, ["id": "$Contact"]),
    MutationLine("removeContactInfo", .parents, ["id": "$ContactInfo"]),
    MutationLine("removeReminder", .members, ["id": "$Reminder"]),
    MutationLine("removeItem", .parents, ["id": "$Item"]),
    MutationLine("removeChore", .parents, ["id": "$Chore"]),
    MutationLine("exportMyData", .parents, ["childId": "$Child"]),
    MutationLine("restoreChild", .parents, ["id": "$DeletedChild"]),
    MutationLine("deleteChild", .parents, ["input": ["id": "$DeletedChild"]]),
    MutationLine("removeChild", .parents, ["id": "$Child"]),
    MutationLine("leaveFamily", .parents, ["password": password], by: "partner"),
    MutationLine("signOut", .members, by: "partner"),
    MutationLine("deactivateAccount", .parents, ["password": "another good one"]),
    MutationLine("deleteAccount", .parents, ["password": password], by: "stranger"),
  ]

  /// The paths of its ids, and of what each is.
  var idPaths: [String: String] { Self.idPaths(in: variables, "") }

  private static func idPaths(in value: Value, _ path: String) -> [String: String] {
    switch value {
    case .string(let text) where text.hasPrefix("$"): [String(path.dropFirst()): String(text.dropFirst())]
    case .object(let members):
      members.reduce(into: [:]) { $0.merge(idPaths(in: $1.value, "\(path).\($1.key)")) { one, _ in one } }
    case .array(let items):
      items.enumerated().reduce(into: [:]) {
        $0.merge(idPaths(in: $1.element, "\(path).\($1.offset)")) { one, _ in one }
      }
    default: [:]
    }
  }

  /// The variables with ids in their idPaths, by path, and with secrets by name.
  func variables(_ ids: [String: String], _ secrets: [String: String] = [:]) -> Value {
    Self.filled(variables, "", ids, secrets)
  }

  private static func filled(_ value: Value, _ path: String, _ ids: [String: String], _ secrets: [String: String])
    -> Value
  {
    switch value {
    case .string(let text) where text.hasPrefix("$"): .string(ids[String(path.dropFirst())] ?? text)
    case .string(let text) where text.hasPrefix("%"): .string(secrets[String(text.dropFirst())] ?? text)
    case .object(let members):
      .object(Dictionary(uniqueKeysWithValues: members.map { ($0, filled($1, "\(path).\($0)", ids, secrets)) }))
    case .array(let items): .array(items.enumerated().map { filled($1, "\(path).\($0)", ids, secrets) })
    default: value
    }
  }
}
