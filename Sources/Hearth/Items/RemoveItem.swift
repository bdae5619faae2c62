import GraphQL
import Storage

enum RemoveItem {
  static let delete = SQL<ItemKey>("DELETE FROM item WHERE family_id = \(\.family) AND id = \(\.item)")

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    let item = context.cipher.key(of: arguments["id"])
    let now = context.now
    let key = try await context.write { transaction in
      guard let item else { throw RejectedInput([ItemRow.notFound(["id"])]) }
      try transaction.run(delete, (family: viewer.family, item: item))
      guard transaction.changedRows > 0 else { throw RejectedInput([ItemRow.notFound(["id"])]) }
      FamilyEvent.record(.itemRemoved, subject: item, of: viewer.family, at: now, in: transaction)
      return item
    }
    return Payload(removed: key)
  }
}
