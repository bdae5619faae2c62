import GraphQL
import Storage

enum ChoreType {
  static let stored = StoredType(Chore.table, as: "c", key: \.id)
  static let byKey = Loader.byKey(stored, rows: .chore, of: \.family, alias: "c")
  static let present = Loader.single(
    stored,
    from: "\(rows: .chore, of: \.family) AS c WHERE c.id = \(\.key) AND c.removed_at IS NULL"
  )

  private static let assignees = Chore.column(of: \.assignees)

  static let binding = ObjectBinding(
    byKey,
    fields: [
      "id": .stored(\Chore.id),
      "name": .stored(\Chore.name),
      "notes": .stored(\Chore.notes),
      "priority": .stored(\Chore.priority),
      "dueAt": .stored(\Chore.dueAt),
      "frequency": .stored(\Chore.frequency),
      "status": .stored(\Chore.status),
      "period": .stored(\Chore.period),
      "copiedFrom": .reference(\Chore.copiedFrom),
      "createdBy": .reference(\Chore.createdBy),
      "createdAt": .stored(\Chore.createdAt),
      "updatedAt": .stored(\Chore.updatedAt),
      "family": .reference(\Chore.family),
      "removedAt": .stored(\Chore.removedAt),
      "finishedBy": .reference(\Chore.finishedBy),
      "finishedAt": .stored(\Chore.finishedAt),
      "awaitsApproval": .stored(\Chore.awaitsApproval),
      "approvedBy": .reference(\Chore.approvedBy),
      "approvedAt": .stored(\Chore.approvedAt),
      "approvedPoints": .stored(\Chore.approvedPoints),
      "returnedBy": .reference(\Chore.returnedBy),
      "returnComment": .stored(\Chore.returnComment),
      "image": .picture(\Chore.image) { _ in Placeholder(theme: .sunrise, subject: .chore) },
      "reminders": .objects { batch, context in try ReminderType.byChore.load(&batch, in: context) },
      "assignees": .objects(needs: [\Chore.assignees]) { batch, _ in
        for parent in 0..<batch.count {
          batch.withBytes(parent, column: assignees) { batch, bytes in
            KeyList.forEach(in: bytes) { member in batch.add(parent, key: member.rawValue) }
          }
        }
      },
    ]
  )
}
