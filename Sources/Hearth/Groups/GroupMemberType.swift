import GraphQL
import Storage

enum GroupMemberColumn: Int, StoredColumns {
  case person, role, joinedAt

  var column: StoredType.Column {
    switch self {
    case .person: .key("m.person_id")
    case .role: .enumeration("m.role", GroupRole.self)
    case .joinedAt: .dateTime("m.joined_at")
    }
  }
}

/// Somebody in a group that the viewer is in.
enum GroupMemberType {
  static let stored = StoredType(key: "m.id", GroupMemberColumn.self)
  static let byKey = Loader.byKey(
    stored,
    from: """
      group_member AS m ON m.id = k.value \
      WHERE m.role < 2 AND \(Visibility.isMember("\(\.viewer)", of: "m.group_id"))
      """
  )

  static let binding = ObjectBinding(
    byKey,
    [
      "person": .reference(GroupMemberColumn.person),
      "role": .stored(GroupMemberColumn.role),
      "joinedAt": .stored(GroupMemberColumn.joinedAt),
    ]
  )
}
