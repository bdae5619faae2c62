import GraphQL
import Storage

/// `setSharing`: changes what the viewer shares with a contact.
enum SetSharing {
  static let update = SQL<(owner: GlobalID, contact: GlobalID?, sharing: Scopes)>(
    "UPDATE contact SET sharing = \(\.sharing) WHERE owner_id = \(\.owner) AND id = \(\.contact)"
  )

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    let key = context.services.cipher.key(of: arguments["contactId"]?.string ?? "")
    let sharing = Scopes(arguments["scopes"])
    let contact = try await context.write { transaction in
      try transaction.run(update, (owner: viewer.member, contact: key, sharing: sharing))
      guard transaction.changedRows > 0, let key else { throw RejectedInput([ContactBook.notFound("contactId")]) }
      return key
    }
    return Payload(["contact": [contact]])
  }
}
