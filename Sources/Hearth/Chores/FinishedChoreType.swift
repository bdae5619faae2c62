import GraphQL
import Storage

enum FinishedChoreColumn: Int, StoredColumns {
  case id, chore, child, points, assignedBy, finishedAt

  var column: StoredType.Column {
    switch self {
    case .id: .identifier
    case .chore: .key("d.chore_id")
    case .child: .key("d.child_id")
    case .points: .integer("d.points")
    case .assignedBy: .key("d.assigned_by")
    case .finishedAt: .dateTime("d.finished_at")
    }
  }
}

enum FinishedChoreType {
  static let stored = StoredType(key: "d.id", FinishedChoreColumn.self)
  static let byKey = Loader.byKey(stored, from: "finished_chore AS d ON d.family_id = ?2 AND d.id = k.value")

  static let binding = ObjectBinding(
    byKey,
    [
      "id": .stored(FinishedChoreColumn.id),
      "chore": .reference(FinishedChoreColumn.chore),
      "child": .reference(FinishedChoreColumn.child),
      "points": .stored(FinishedChoreColumn.points),
      "assignedBy": .reference(FinishedChoreColumn.assignedBy),
      "finishedAt": .stored(FinishedChoreColumn.finishedAt),
    ]
  )
}
