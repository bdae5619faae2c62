import GraphQL
import Storage

enum ChoreColumn: Int, StoredColumns {
  case id, name, notes, image, priority, dueAt, frequency, status, period, copiedFrom, createdBy, createdAt, updatedAt,
    family,
    assignees, removedAt

  var column: StoredType.Column {
    switch self {
    case .id: .identifier
    case .name: .text("c.name")
    case .notes: .text("c.notes")
    case .image: .integer("c.image")
    case .priority: .integer("c.priority")
    case .dueAt: .dateTime("c.due_at")
    case .frequency: .enumeration("c.frequency", Frequency.self)
    case .status: .enumeration("c.status", ChoreStatus.self)
    case .period: .text("c.period")
    case .copiedFrom: .key("c.copied_from")
    case .createdBy: .key("c.created_by")
    case .createdAt: .dateTime("c.created_at")
    case .updatedAt: .dateTime("c.updated_at")
    case .family: .key("c.family_id")
    case .assignees: .bytes("c.assignees")
    case .removedAt: .dateTime("c.removed_at")
    }
  }
}

enum ChoreType {
  static let stored = StoredType(key: "c.id", ChoreColumn.self)
  static let byKey = Loader.byKey(stored, from: "chore AS c ON c.family_id = ?2 AND c.id = k.value")
  static let present = Loader.byParent(
    stored,
    from: "chore AS c ON c.family_id = ?2 AND c.id = k.value WHERE c.removed_at IS NULL"
  )

  static let binding = ObjectBinding(
    byKey,
    [
      "id": .stored(ChoreColumn.id),
      "name": .stored(ChoreColumn.name),
      "notes": .stored(ChoreColumn.notes),
      "priority": .stored(ChoreColumn.priority),
      "dueAt": .stored(ChoreColumn.dueAt),
      "frequency": .stored(ChoreColumn.frequency),
      "status": .stored(ChoreColumn.status),
      "period": .stored(ChoreColumn.period),
      "copiedFrom": .reference(ChoreColumn.copiedFrom),
      "createdBy": .reference(ChoreColumn.createdBy),
      "createdAt": .stored(ChoreColumn.createdAt),
      "updatedAt": .stored(ChoreColumn.updatedAt),
      "family": .reference(ChoreColumn.family),
      "removedAt": .stored(ChoreColumn.removedAt),
      "image": .picture(ChoreColumn.image) { _ in Placeholder(theme: .sunrise, subject: .chore) },
      "reminders": .objects { batch, context in try ReminderType.byChore.load(&batch, context) },
      "assignees": .objects(needs: [ChoreColumn.assignees]) { batch, _ in
        for slot in 0..<batch.count {
          batch.withBytes(slot, ChoreColumn.assignees.rawValue) { batch, bytes in
            Assignees.forEach(in: bytes) { member in batch.add(slot, key: member.rawValue) }
          }
        }
      },
    ]
  )
}
