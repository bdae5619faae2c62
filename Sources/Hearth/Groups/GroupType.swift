import GraphQL
import Storage

enum GroupColumn: Int, StoredColumns {
  case id, name, description, picture, hometown, sharing, viewerSharing, memberCount, viewerRole, access
  case viewerJoinRequest

  var column: StoredType.Column {
    switch self {
    case .id: .identifier
    case .name: .text("g.name")
    case .description: .text("g.description")
    case .picture: .integer("g.picture")
    case .hometown: .text("g.hometown")
    case .sharing: .integer("g.sharing")
    case .viewerSharing:
      .integer(
        "(SELECT g.sharing & m.sharing FROM group_member AS m WHERE m.group_id = g.id AND m.person_id = \(\.viewer))"
      )
    case .memberCount: .integer("g.member_count")
    case .viewerRole:
      .enumeration(
        "(SELECT m.role FROM group_member AS m WHERE m.group_id = g.id AND m.person_id = \(\.viewer))",
        GroupRole.self
      )
    case .access: .enumeration("g.access", GroupAccess.self)
    case .viewerJoinRequest:
      .key("(SELECT j.id FROM group_join_request AS j WHERE j.group_id = g.id AND j.person_id = \(\.viewer))")
    }
  }
}

/// A group of people. Adults see a group that they can join or ask to join; a group by invitation is visible only to
/// its members and to the people it has invited. Only members see its members.
enum GroupType {
  static let stored = StoredType(key: "g.id", GroupColumn.self)
  static let byKey = Loader.byKey(
    stored,
    from: """
      person_group AS g ON g.id = k.value WHERE \(Kind.person.isKind(of: "\(\.viewer)")) \
      AND (g.access < \(GroupAccess.byInvitation) \
      OR EXISTS (SELECT 1 FROM group_member AS v WHERE v.group_id = g.id AND v.person_id = \(\.viewer)))
      """
  )

  static let binding = ObjectBinding(
    byKey,
    fields: [
      "id": .stored(GroupColumn.id),
      "name": .stored(GroupColumn.name),
      "description": .stored(GroupColumn.description),
      "picture": .picture(GroupColumn.picture, needs: [.name]) { group in
        .of(name: group.string(GroupColumn.name.rawValue) ?? "", theme: .ocean)
      },
      "hometown": .stored(GroupColumn.hometown),
      "sharing": .scopes(GroupColumn.sharing),
      "viewerSharing": .scopes(GroupColumn.viewerSharing),
      "memberCount": .stored(GroupColumn.memberCount),
      "viewerRole": .stored(GroupColumn.viewerRole),
      "access": .stored(GroupColumn.access),
      "viewerJoinRequest": .reference(GroupColumn.viewerJoinRequest),
      "joinRequests": .connection(GroupJoinRequestPages.order) { group, pageQuery, context in
        try GroupJoinRequestPages.page(of: group, pageQuery: pageQuery, in: context)
      },
      "members": .connection(GroupMemberPages.order) { group, pageQuery, context in
        try GroupMemberPages.page(of: group, pageQuery: pageQuery, in: context)
      },
    ]
  )
}
