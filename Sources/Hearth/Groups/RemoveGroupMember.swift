import GraphQL
import Storage

/// `removeGroupMember`, by admins: also takes an invitation back.
enum RemoveGroupMember {
  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    let cipher = context.services.cipher
    let key = cipher.key(of: arguments["groupId"]?.string ?? "")
    let person = cipher.key(of: arguments["personId"]?.string ?? "")
    let group = try await context.write { transaction in
      let refusal = try GroupRow.refusal(of: key, toAdmin: viewer.member, ["groupId"], transaction)
      if let refusal { throw Refused([refusal]) }
      guard person != viewer.member else {
        throw Refused(["personId"], .notAllowed, "This is you: leave the group instead.")
      }
      guard let key, let person, try Membership.remove(person, from: key, transaction) else {
        throw Refused(["personId"], .notFound, "There is nobody of this id in the group.")
      }
      return key
    }
    return Payload(["group": [group]])
  }
}
