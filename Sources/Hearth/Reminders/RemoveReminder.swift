import GraphQL
import Storage

enum RemoveReminder {
  static let delete = SQL("DELETE FROM reminder WHERE family_id = ?1 AND id = ?2")

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireViewer()
    let key = context.services.cipher.key(of: arguments["id"]?.string ?? "")
    let removed = try await context.write { transaction in
      let reminder = try ReminderRow.find(key, for: viewer, at: ["id"], transaction)
      try transaction.run(delete, viewer.family.rawValue, reminder.key.rawValue)
      return reminder.key
    }
    return Payload(removed: removed)
  }
}
