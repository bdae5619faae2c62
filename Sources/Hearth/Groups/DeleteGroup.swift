import GraphQL
import Storage

/// `deleteGroup`, by admins.
enum DeleteGroup {
  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    let key = context.cipher.key(of: arguments["id"])
    let group = try await context.write { transaction in
      let error = try GroupRow.adminError(of: key, toAdmin: viewer.member, field: ["id"], in: transaction)
      if let error { throw RejectedInput([error]) }
      guard let key else { throw RejectedInput([GroupRow.notFound(["id"])]) }
      try GroupRow.delete(key, in: transaction)
      return key
    }
    return Payload(removed: group)
  }
}
