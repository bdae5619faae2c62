import GraphQL
import Storage

/// `joinGroup`: of one's own accord, or because one was invited. Who is in the group already stays what they are, and agrees
/// to what it shares now.
enum JoinGroup {
  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    let key = context.services.cipher.key(of: arguments["groupId"]?.string ?? "")
    let now = context.now
    let group = try await context.write { transaction in
      guard let key, try GroupRow.exists(key, transaction) else { throw Refused([GroupRow.notFound(["groupId"])]) }
      switch try Membership.role(of: viewer.member, in: key, transaction) {
      case .admin, .member, .invited:
        try transaction.run(Membership.join, key.rawValue, viewer.member.rawValue, now)
      case nil:
        guard try Membership.hasRoom(for: viewer.member, transaction) else {
          throw Refused([Membership.full(["groupId"])])
        }
        try Membership.insert(viewer.member, .member, in: key, at: now, transaction)
      }
      return key
    }
    return Payload(["group": [group]])
  }
}
