import GraphQL
import Storage

/// A request to join a group: visible to the person who sent it and to the group's admins.
enum GroupJoinRequestType {
  static let stored = StoredType(GroupJoinRequest.table, as: "j", key: \.id)
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
    fields: [
      "id": .stored(\GroupJoinRequest.id),
      "group": .reference(\GroupJoinRequest.group),
      "person": .reference(\GroupJoinRequest.person),
      "requestedAt": .stored(\GroupJoinRequest.requestedAt),
    ]
  )
}
