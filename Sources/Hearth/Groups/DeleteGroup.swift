import GraphQL
import Storage

/// `deleteGroup`, by admins.
enum DeleteGroup {
  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    let key = context.cipher.key(of: arguments["id"])
    let group = try await context.write { write in
      let error = try PersonGroup.adminError(of: key, toAdmin: viewer.member, field: ["id"], from: write.reader)
      if let error { throw RejectedInput([error]) }
      guard let key else { throw RejectedInput([PersonGroup.notFound(["id"])]) }
      try PersonGroup.delete(key, in: write.transaction)
      // The other members can be thousands.
      write.record(.groupChanged, subject: key, for: viewer.member)
      return key
    }
    return Payload(removed: group)
  }
}
