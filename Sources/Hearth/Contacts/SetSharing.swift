import GraphQL
import Storage

/// `setSharing`: what the viewer shares with a contact from now on.
enum SetSharing {
  static let update = SQL("UPDATE contact SET sharing = ?3 WHERE owner_id = ?1 AND id = ?2")

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    let key = context.services.cipher.key(of: arguments["contactId"]?.string ?? "")
    let sharing = Scopes(arguments["scopes"])
    let contact = try await context.write { transaction in
      try transaction.run(update, viewer.member.rawValue, key?.rawValue ?? 0, sharing.bits)
      guard transaction.changedRows > 0, let key else { throw Refused([ContactBook.notFound("contactId")]) }
      return key
    }
    return Payload(["contact": [contact]])
  }
}
