import GraphQL
import Storage

enum RemoveContactInfo {
  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    let key = context.cipher.key(of: arguments["id"])
    let removed = try await context.write { write in
      try write.transaction.run(ContactInfo.delete, (person: viewer.member, info: key))
      guard write.transaction.changedRows > 0, let key else { throw RejectedInput([ContactInfo.notFound(["id"])]) }
      write.recordChange(ofAccount: viewer.member)
      return key
    }
    return Payload(removed: removed)
  }
}
