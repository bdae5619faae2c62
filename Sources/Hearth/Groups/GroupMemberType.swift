import GraphQL
import Storage

/// A member of a group, visible to the members.
enum GroupMemberType {
  static let stored = StoredType(GroupMember.table, as: "m", key: \.id)
  static let byKey = Loader.byKey(
    stored,
    from: """
      group_member AS m ON m.id = k.value \
      WHERE m.role < \(GroupRole.invited) AND \(Visibility.isMember("\(\.viewer)", of: "m.group_id"))
      """
  )

  static let binding = ObjectBinding(
    byKey,
    fields: [
      "person": .reference(\GroupMember.person),
      "role": .stored(\GroupMember.role),
      "joinedAt": .stored(\GroupMember.joinedAt),
    ]
  )
}
