import GraphQL
import Storage

/// `joinGroup`: joins an open group, accepts an invitation, or sends a request to a group whose access is `BY_REQUEST`.
/// A member agrees to share what the group shares at this time.
enum JoinGroup {
  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    let key = context.cipher.key(of: arguments["groupId"])
    let limits = context.services.rateLimits
    let group = try await context.write { write in
      guard let key, let standing = try PersonGroup.standing(of: viewer.member, in: key, from: write.reader) else {
        throw RejectedInput([PersonGroup.notFound(["groupId"])])
      }
      guard standing.role == nil else {
        try Membership.join(viewer.member, to: key, in: write)
        return key
      }
      try GroupExclusion.requireNone(for: viewer.member, in: key, ["groupId"], at: write.now, from: write.reader)
      guard try Membership.hasRoom(for: viewer.member, from: write.reader) else {
        throw RejectedInput([Membership.full(["groupId"])])
      }
      switch standing.access {
      case .open:
        try GroupJoinRequest.delete(viewer.member, to: key, in: write)
        try Membership.insert(viewer.member, as: .member, of: key, in: write)
        write.record(.groupChanged, subject: key, for: viewer.member)
      case .byRequest:
        try GroupJoinRequest.ask(viewer.member, to: key, limits, in: write)
      case .byInvitation:
        throw RejectedInput(
          ["groupId"],
          code: .invitationRequired,
          message: "Only people who are invited can join this group."
        )
      }
      return key
    }
    return Payload(["group": [group]])
  }
}
