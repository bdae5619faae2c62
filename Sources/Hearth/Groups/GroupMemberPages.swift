import GraphQL
import Storage

/// The members of a group, sorted by name. Empty unless the viewer is a member.
enum GroupMemberPages {
  typealias Filter = (group: GlobalID, viewer: GlobalID, name: NameFilter)

  static let order = ListOrder(values: 0, hasText: true, kind: .groupMember)

  static let all = KeysetList<Filter>(
    "group_member",
    index: "group_member_by_name",
    where: "group_id = \(\.group) AND role < \(GroupRole.invited) AND \(isVisible)",
    order: .byName,
    count: countOfAll
  )
  static let named = KeysetList<Filter>(
    "group_member",
    index: "group_member_by_name",
    where: "group_id = \(\.group) AND role < \(GroupRole.invited) AND \(isVisible)",
    and: "\(NameFilter.condition, of: \.name)",
    order: .byName
  )
  /// Maintained by triggers.
  static let countOfAll = SQL<Filter>(
    "SELECT member_count FROM person_group WHERE id = \(\.group) AND \(isVisible)"
  )

  private static var isVisible: SQLFragment<Filter> { Visibility.isMember("\(\.viewer)", of: "\(\.group)") }

  static func page(of group: GlobalID, pageQuery: PageQuery, in context: RequestContext) throws -> Page {
    guard let viewer = context.member else { return Page() }
    let name = try NameFilter(pageQuery.arguments)
    let list = name.isEmpty ? all : named
    return try list.page((group: group, viewer: viewer, name: name), pageQuery: pageQuery, in: context)
  }
}
