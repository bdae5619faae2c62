import GraphQL
import Storage

enum GroupJoinRequestColumn: Int, StoredColumns {
  case id, group, person, requestedAt

  var column: StoredType.Column {
    switch self {
    case .id: .identifier
    case .group: .key("j.group_id")
    case .person: .key("j.person_id")
    case .requestedAt: .dateTime("j.requested_at")
    }
  }
}

/// A request to join a group: visible to the person who asks and to the group's admins.
enum GroupJoinRequestType {
  static let stored = StoredType(key: "j.id", GroupJoinRequestColumn.self)
  static let byKey = Loader.byKey(
    stored,
    from: """
      group_join_request AS j ON j.id = k.value \
      WHERE EXISTS (SELECT 1 FROM person_group AS g WHERE g.id = j.group_id) \
      AND (j.person_id = \(\.viewer) OR \(Visibility.isAdmin("\(\.viewer)", of: "j.group_id")))
      """
  )

  static let binding = ObjectBinding(
    byKey,
    [
      "id": .stored(GroupJoinRequestColumn.id),
      "group": .reference(GroupJoinRequestColumn.group),
      "person": .reference(GroupJoinRequestColumn.person),
      "requestedAt": .stored(GroupJoinRequestColumn.requestedAt),
    ]
  )
}
