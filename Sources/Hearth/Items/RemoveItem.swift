import GraphQL
import Storage

enum RemoveItem {
  static let delete = SQL<ItemKey>("DELETE FROM item WHERE family_id = \(\.family) AND id = \(\.item)")

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    let item = context.cipher.key(of: arguments["id"])
    let key = try await context.write(as: viewer) { write in
      guard let item else { throw RejectedInput([Item.notFound(["id"])]) }
      try write.transaction.run(delete, (family: write.family, item: item))
      guard write.transaction.changedRows > 0 else { throw RejectedInput([Item.notFound(["id"])]) }
      write.record(.itemRemoved, subject: item)
      return item
    }
    return Payload(removed: key)
  }
}
