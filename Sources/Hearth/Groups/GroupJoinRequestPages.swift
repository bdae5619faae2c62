import GraphQL
import Storage

/// The open requests to join a group, oldest first. The list is empty for everyone but the group's admins.
enum GroupJoinRequestPages {
  static let order = ListOrder(values: 0, kind: .groupJoinRequest)

  /// Parameters: 1 the group, 2 the viewer, 3 the page's length, 4 the key after which the page begins.
  private static let source = "FROM group_join_request INDEXED BY group_join_request_by_group WHERE group_id = ?1"
  private static let isVisible = "AND \(Visibility.isAdmin("?2", of: "?1"))"

  static let first = SQL("SELECT id \(source) \(isVisible) ORDER BY id LIMIT ?3")
  static let after = SQL("SELECT id \(source) AND id > ?4 \(isVisible) ORDER BY id LIMIT ?3")
  static let count = SQL("SELECT join_request_count FROM person_group WHERE id = ?1 \(isVisible)")

  static func page(of group: GlobalID, _ asked: PageQuery, _ context: RequestContext) throws -> Page {
    guard let viewer = context.viewer else { return Page() }
    var page = Page()
    if asked.wantsItems {
      let statement = try context.reader.statement(asked.page.after == nil ? first : after)
      try statement.bind(1, group.rawValue)
      try statement.bind(2, viewer.member.rawValue)
      if let cursor = asked.page.after { try statement.bind(4, cursor.key.rawValue) }
      try page.fill(from: statement, asked, context.services.cipher) { _, key in Cursor([], key) }
    }
    if asked.wantsTotal {
      let statement = try context.reader.statement(count)
      try statement.bind(1, group.rawValue)
      try statement.bind(2, viewer.member.rawValue)
      page.total = try statement.first { row in row.int64(0) } ?? 0
    }
    return page
  }
}
