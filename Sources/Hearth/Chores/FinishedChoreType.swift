import GraphQL
import Storage

enum FinishedChoreType {
  static let stored = StoredType(FinishedChore.table, as: "d", key: \.id)
  static let byKey = Loader.byKey(stored, rows: .finishedChore, of: \.family, alias: "d")

  static let binding = ObjectBinding(
    byKey,
    fields: [
      "id": .stored(\FinishedChore.id),
      "chore": .reference(\FinishedChore.chore),
      "child": .reference(\FinishedChore.child),
      "points": .stored(\FinishedChore.points),
      "assignedBy": .reference(\FinishedChore.assignedBy),
      "finishedAt": .stored(\FinishedChore.finishedAt),
    ]
  )
}
