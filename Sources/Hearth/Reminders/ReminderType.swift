import GraphQL
import Storage

enum ReminderColumn: Int, StoredColumns {
  case id, chore, remindAt, status, deliveredAt, answeredBy

  var column: StoredType.Column {
    switch self {
    case .id: .identifier
    case .chore: .key("r.chore_id")
    case .remindAt: .dateTime("r.remind_at")
    case .status: .enumeration("r.status", ReminderStatus.self)
    case .deliveredAt: .dateTime("r.delivered_at")
    case .answeredBy: .key("r.answered_by")
    }
  }
}

enum ReminderType {
  static let stored = StoredType(key: "r.id", ReminderColumn.self)
  static let byKey = Loader.byKey(stored, from: "reminder AS r ON r.family_id = ?2 AND r.id = k.value")
  /// In the order of the index: the soonest first.
  static let byChore = Loader.byParent(
    stored,
    from: "reminder AS r INDEXED BY reminder_by_chore ON r.family_id = ?2 AND r.chore_id = k.value"
  )

  static let binding = ObjectBinding(
    byKey,
    [
      "id": .stored(ReminderColumn.id),
      "chore": .reference(ReminderColumn.chore),
      "remindAt": .stored(ReminderColumn.remindAt),
      "status": .stored(ReminderColumn.status),
      "deliveredAt": .stored(ReminderColumn.deliveredAt),
      "answeredBy": .reference(ReminderColumn.answeredBy),
    ]
  )
}
