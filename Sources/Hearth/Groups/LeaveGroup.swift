import GraphQL
import Storage

/// `leaveGroup`: also declines an invitation. See `Membership.remove` for what becomes of a group that is left.
enum LeaveGroup {
  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    let key = context.services.cipher.key(of: arguments["groupId"]?.string ?? "")
    let group = try await context.write { transaction in
      guard let key, try GroupRow.exists(key, transaction) else { throw Refused([GroupRow.notFound(["groupId"])]) }
      guard try Membership.remove(viewer.member, from: key, transaction) else {
        throw Refused(["groupId"], .notAllowed, "You are not in this group.")
      }
      return key
    }
    return Payload(removed: group)
  }
}
