import GraphQL
import Storage

/// `inviteToGroup`: members can invite people to an open group, and admins to any group. The invited people are
/// notified. Nothing changes for members and people who are already invited. A person with an open request becomes a
/// member. Only admins can invite a person who was removed or rejected. Other members do not learn that the person is
/// excluded: the result is the same as for a person who is already invited. The exclusion ends only when they join.
enum InviteToGroup {
  static let maximumAtOnce = 100

  static let mutation = FieldBinding.mutation(.input(required: ["groupId", "personIds"])) { arguments, context in
    let viewer = try context.requireParent()
    let cipher = context.cipher
    let key = cipher.key(of: arguments["groupId"])
    let ids = arguments["personIds"]?.list ?? []
    guard ids.count <= maximumAtOnce else {
      throw RejectedInput(
        ["personIds"],
        code: .tooLong,
        message: "At most \(maximum: maximumAtOnce) people can be invited at once."
      )
    }
    let people = ids.map { cipher.person(of: $0) }
    let limits = context.services.rateLimits
    let group = try await context.write { write in
      var errors: [UserError] = []
      let standing = try key.flatMap { try PersonGroup.standing(of: viewer.member, in: $0, from: write.reader) }
      if let error = invitationError(standing) { errors.append(error) }
      let canInvite = errors.isEmpty
      if people.isEmpty {
        errors.append(UserError(field: ["personIds"], code: .blank, message: "At least one person is required."))
      }
      for (index, person) in people.enumerated() {
        let field = ["personIds", String(index)]
        guard let person, try write.reader.hasRow(RequestContact.isActive, person) else {
          errors.append(UserError(field: field, code: .notFound, message: "No person has this id."))
          continue
        }
        guard canInvite, let key else { continue }
        let isAdmin = standing?.role == .admin
        let role = try Membership.role(of: person, in: key, from: write.reader)
        guard role == nil || (role == .invited && !isAdmin) else { continue }
        // Before the exclusion, which this error must not show.
        guard try role != nil || Membership.hasRoom(for: person, from: write.reader) else {
          errors.append(Membership.full(field))
          continue
        }
        // After an error nothing is stored, but the other people are checked, so that all errors are reported.
        guard errors.isEmpty else { continue }
        if !isAdmin, try isSkipped(person, as: role, in: key, at: write.now, from: write.reader) {
          // For both reasons, so that the limit does not show which it is.
          try limits.takeRequest(from: viewer.member, to: person, in: write)
          continue
        }
        try invite(person, to: key, by: viewer.member, isAdmin: isAdmin, limits, in: write)
      }
      guard errors.isEmpty, let key else { throw RejectedInput(errors) }
      return key
    }
    return Payload(["group": [group]])
  }

  /// Whether a person who is not a member is invited already, or excluded.
  private static func isSkipped(
    _ person: GlobalID,
    as role: GroupRole?,
    in group: GlobalID,
    at now: Timestamp,
    from reader: Reader
  ) throws -> Bool {
    if role != nil { return true }
    return try GroupExclusion.reason(for: person, in: group, at: now, from: reader) != nil
  }

  private static func invite(
    _ person: GlobalID,
    to group: GlobalID,
    by inviter: GlobalID,
    isAdmin: Bool,
    _ limits: RateLimits,
    in write: DatedWrite
  ) throws {
    // Only an admin's invitation accepts a request, because only admins can see requests.
    if isAdmin {
      if let sharing = try GroupJoinRequest.sharing(of: person, in: group, from: write.reader) {
        let request = GroupJoinRequest.Found(group: group, person: person, sharing: sharing)
        return try GroupJoinRequest.accept(request, by: inviter, in: write)
      }
    } else {
      try GroupJoinRequest.delete(person, to: group, in: write)
    }
    try limits.takeRequest(from: inviter, to: person, in: write)
    try Membership.invite(person, to: group, by: inviter, in: write)
  }

  private static func invitationError(_ standing: PersonGroup.Standing?) -> UserError? {
    guard let standing else { return PersonGroup.notFound(["groupId"]) }
    switch (standing.role, standing.access) {
    case (.admin, _), (.member, .open): return nil
    case (.member, _):
      return UserError(
        field: ["groupId"],
        code: .notAllowed,
        reason: .notAdmin,
        message: "Only an admin of this group may invite people."
      )
    case (.invited, _), (nil, _):
      return UserError(
        field: ["groupId"],
        code: .notAllowed,
        reason: .notMember,
        message: "Only a member of the group may invite people."
      )
    }
  }
}
