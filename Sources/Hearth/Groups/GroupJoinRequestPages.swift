import GraphQL
import Storage

/// The open requests to join a group, oldest first. Empty unless the viewer is an admin of the group.
enum GroupJoinRequestPages {
  typealias Filter = (group: GlobalID, viewer: GlobalID)

  static let order = ListOrder(values: 0, kind: .groupJoinRequest)
  static let list = KeysetList<Filter>(
    "group_join_request",
    index: "group_join_request_by_group",
    where: "group_id = \(\.group)",
    and: isVisible,
    order: .oldestFirst,
    count: count
  )
  /// Maintained by triggers.
  static let count = SQL<Filter>(
    "SELECT join_request_count FROM person_group WHERE id = \(\.group) AND \(isVisible)"
  )

  private static var isVisible: SQLFragment<Filter> { Visibility.isAdmin("\(\.viewer)", of: "\(\.group)") }

  static func page(of group: GlobalID, pageQuery: PageQuery, in context: RequestContext) throws -> Page {
    guard let viewer = context.member else { return Page() }
    return try list.page((group: group, viewer: viewer), pageQuery: pageQuery, in: context)
  }
}
