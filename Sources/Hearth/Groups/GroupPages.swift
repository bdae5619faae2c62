import GraphQL
import Storage

/// The groups that the viewer is a member of, is invited to or has asked to join, sorted by name.
///
/// They are at most `Membership.maximumOfPerson` or `GroupJoinRequest.maximumOfPerson`, and usually a few. All of them
/// are read and sorted here, so that renaming a group does not update a sort key for each of its members.
enum GroupPages {
  static let order = ListOrder(values: 0, hasText: true, kind: .group)

  static let joined = SQL<GlobalID>(
    """
    SELECT g.id, g.name_key FROM group_member AS m \(index: "group_member_by_person") \
    \(join: .asWritten) person_group AS g ON g.id = m.group_id WHERE m.person_id = \(\.self) \
    AND m.role < \(GroupRole.invited)
    """
  )
  static let invited = SQL<GlobalID>(
    """
    SELECT g.id, g.name_key FROM group_member AS m \(index: "group_member_by_person") \
    \(join: .asWritten) person_group AS g ON g.id = m.group_id WHERE m.person_id = \(\.self) \
    AND m.role = \(GroupRole.invited)
    """
  )
  static let requested = SQL<GlobalID>(
    """
    SELECT g.id, g.name_key FROM group_join_request AS j \(index: "group_join_request_by_person") \
    \(join: .asWritten) person_group AS g ON g.id = j.group_id WHERE j.person_id = \(\.self)
    """
  )

  static func page(_ pageQuery: PageQuery, in context: RequestContext) throws -> Page {
    guard let viewer = context.member else { return Page() }
    let statement =
      switch pageQuery.arguments["standing"]?.string {
      case "INVITED": invited
      case "REQUESTED": requested
      default: joined
      }
    var groups = try context.reader.all(of: statement, viewer) { row in
      (nameKey: row.string(1), key: row.key(0))
    }
    var page = Page()
    page.total = Int64(groups.count)
    let isForward = pageQuery.page.direction == .forward
    if let cursor = pageQuery.page.cursor {
      let position = (nameKey: cursor.text ?? "", key: cursor.key)
      groups.removeAll { group in isForward ? !isOrdered(position, group) : !isOrdered(group, position) }
    }
    groups.sort { isForward ? isOrdered($0, $1) : isOrdered($1, $0) }
    for group in groups.prefix(Int(pageQuery.page.size)) {
      page.append(
        group.key,
        for: pageQuery,
        cursor: Cursor([], text: group.nameKey, group.key).text(context.cipher)
      )
    }
    page.finish(pageQuery.page, hasMore: groups.count > Int(pageQuery.page.size))
    return page
  }

  private static func isOrdered(_ one: (nameKey: String, key: GlobalID), _ other: (nameKey: String, key: GlobalID))
    -> Bool
  {
    if one.nameKey == other.nameKey { return one.key.rawValue < other.key.rawValue }
    // Compares bytes, as SQLite does: see `NameOrder`.
    return one.nameKey.utf8.lexicographicallyPrecedes(other.nameKey.utf8)
  }
}
