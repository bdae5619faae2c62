import GraphQL
import Storage

enum RemoveItem {
  static let delete = SQL("DELETE FROM item WHERE family_id = ?1 AND id = ?2")

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    let item = context.services.cipher.key(of: arguments["id"]?.string ?? "")
    let now = context.now
    let key = try await context.write { transaction in
      try transaction.run(delete, viewer.family.rawValue, item?.rawValue ?? 0)
      guard transaction.changedRows > 0, let item else { throw Refused([UpdateItem.notFound(["id"])]) }
      try FamilyEvent.record(.itemRemoved, item, of: viewer.family, at: now, transaction)
      return item
    }
    return Payload(removed: key)
  }
}
