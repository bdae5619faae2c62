import GraphQL
import Storage

enum RemoveReminder {
  static let delete = SQL<(family: GlobalID, reminder: GlobalID)>(
    "DELETE FROM reminder WHERE family_id = \(\.family) AND id = \(\.reminder)"
  )

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireViewer()
    let key = context.cipher.key(of: arguments["id"])
    let removed = try await context.write(as: viewer) { write in
      let reminder = try Reminder.find(key, for: viewer, at: ["id"], from: write.reader)
      try write.transaction.run(delete, (family: write.family, reminder: reminder.key))
      write.record(.choreChanged, subject: reminder.chore)
      return reminder.key
    }
    return Payload(removed: removed)
  }
}
