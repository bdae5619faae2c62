import GraphQL
import Storage

/// `leaveGroup`: also declines an invitation and withdraws a request. `Membership.remove` handles a group that loses
/// its last admin or member.
enum LeaveGroup {
  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    let key = context.cipher.key(of: arguments["groupId"])
    let group = try await context.write { write in
      guard let key, try PersonGroup.standing(of: viewer.member, in: key, from: write.reader) != nil else {
        throw RejectedInput([PersonGroup.notFound(["groupId"])])
      }
      if try Membership.remove(viewer.member, from: key, in: write) {
        write.record(.groupChanged, subject: key, for: viewer.member)
        return key
      }
      guard try GroupJoinRequest.delete(viewer.member, to: key, in: write) else {
        throw RejectedInput(["groupId"], code: .notAllowed, message: "You are not in this group.")
      }
      return key
    }
    return Payload(removed: group)
  }
}
