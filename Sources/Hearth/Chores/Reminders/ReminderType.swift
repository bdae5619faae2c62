import GraphQL
import Storage

enum ReminderType {
  static let stored = StoredType(Reminder.table, as: "r", key: \.id)
  static let byKey = Loader.byKey(stored, rows: .reminder, of: \.family, alias: "r")
  /// In the order of the index: the earliest first.
  static let byChore = Loader.byParent(
    stored,
    from: "\(rows: .reminder, of: \.family, index: "reminder_by_chore") AS r ON r.chore_id = k.value",
    order: "r.remind_at, r.id"
  )

  static let binding = ObjectBinding(
    byKey,
    fields: [
      "id": .stored(\Reminder.id),
      "chore": .reference(\Reminder.chore),
      "remindAt": .stored(\Reminder.remindAt),
      "status": .stored(\Reminder.status),
      "deliveredAt": .stored(\Reminder.deliveredAt),
      "answeredBy": .reference(\Reminder.answeredBy),
    ]
  )
}
