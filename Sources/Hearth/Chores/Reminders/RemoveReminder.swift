import GraphQL
import Storage

enum RemoveReminder {
  static let delete = SQL<(family: GlobalID, reminder: GlobalID)>(
    "DELETE FROM reminder WHERE family_id = \(\.family) AND id = \(\.reminder)"
  )

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireViewer()
    let now = context.now
    let key = context.cipher.key(of: arguments["id"])
    let removed = try await context.write { transaction in
      let reminder = try ReminderRow.find(key, for: viewer, at: ["id"], from: transaction.reader)
      try transaction.run(delete, (family: viewer.family, reminder: reminder.key))
      FamilyEvent.record(.choreChanged, subject: reminder.chore, of: viewer.family, at: now, in: transaction)
      return reminder.key
    }
    return Payload(removed: removed)
  }
}
