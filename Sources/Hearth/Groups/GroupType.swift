import GraphQL
import Storage

enum GroupColumn: Int, StoredColumns {
  case id, name, description, picture, hometown, sharing, viewerSharing, memberCount, viewerRole

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
        "(SELECT g.sharing & m.sharing FROM group_member AS m WHERE m.group_id = g.id AND m.person_id = ?3)"
      )
    case .memberCount: .integer("g.member_count")
    case .viewerRole:
      .enumeration(
        "(SELECT m.role FROM group_member AS m WHERE m.group_id = g.id AND m.person_id = ?3)",
        GroupRole.self
      )
    }
  }
}

/// A group of people. What it is like may be seen by every adult, and who is in it by its members alone.
enum GroupType {
  static let stored = StoredType(key: "g.id", GroupColumn.self)
  static let byKey = Loader.byKey(
    stored,
    from: "person_group AS g ON g.id = k.value WHERE ?3 & 63 = \(Kind.person.rawValue)"
  )

  static let binding = ObjectBinding(
    byKey,
    [
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
      "members": .connection(GroupMemberPages.order) { group, asked, context in
        try GroupMemberPages.page(of: group, asked, context)
      },
    ]
  )
}
