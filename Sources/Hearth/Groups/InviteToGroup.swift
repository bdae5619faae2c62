import GraphQL
import Storage

/// `inviteToGroup`: a member invites people, who are told. Who is in the group or invited already stays what they are, and
/// is not told again.
enum InviteToGroup {
  static let maximumAtOnce = 100

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    let cipher = context.services.cipher
    let key = cipher.key(of: arguments["groupId"]?.string ?? "")
    let ids = arguments["personIds"]?.list ?? []
    guard ids.count <= maximumAtOnce else {
      throw Refused(["personIds"], .tooLong, "There can be \(maximumAtOnce) people at most.")
    }
    let people = ids.map { cipher.key(of: $0.string ?? "") }
    let (limits, now) = (context.services.rateLimits, context.now)
    let group = try await context.write { transaction in
      var errors: [UserError] = []
      if let refusal = try refusal(of: key, to: viewer.member, transaction) { errors.append(refusal) }
      if people.isEmpty {
        errors.append(UserError(field: ["personIds"], code: .blank, message: "Say who is to be invited."))
      }
      for (place, person) in people.enumerated() {
        let field = ["personIds", String(place)]
        let looking = try transaction.statement(RequestContact.isHere)
        try looking.bind(1, person?.rawValue ?? 0)
        guard let person, try looking.first({ _ in true }) == true else {
          errors.append(UserError(field: field, code: .notFound, message: "There is nobody of this id."))
          continue
        }
        guard errors.isEmpty, let key, try Membership.role(of: person, in: key, transaction) == nil else { continue }
        guard try Membership.hasRoom(for: person, transaction) else {
          errors.append(Membership.full(field))
          continue
        }
        try limits.takeAsking(viewer.member, person, at: now)
        try Membership.insert(person, .invited, in: key, invitedBy: viewer.member, at: now, transaction)
        try Notifications.tell(
          person,
          .groupInvitationNotification,
          of: key,
          by: viewer.member,
          at: now,
          transaction
        )
      }
      guard errors.isEmpty, let key else { throw Refused(errors) }
      return key
    }
    return Payload(["group": [group]])
  }

  private static func refusal(
    of group: GlobalID?,
    to person: GlobalID,
    _ transaction: WriteTransaction
  ) throws -> UserError? {
    guard let group, try GroupRow.exists(group, transaction) else { return GroupRow.notFound(["groupId"]) }
    switch try Membership.role(of: person, in: group, transaction) {
    case .admin, .member: return nil
    case .invited, nil:
      return UserError(field: ["groupId"], code: .notAllowed, message: "Only a member of the group may invite people.")
    }
  }
}
