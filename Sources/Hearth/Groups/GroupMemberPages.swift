import GraphQL
import Storage

/// The members of a group, in the order of names, for those who are members themselves: to others the list is empty.
enum GroupMemberPages {
  static let order = ListOrder(values: 0, hasText: true, kind: .groupMember)

  /// Parameters: 1 the group, 2 the viewer, 3 how many, 4 and 5 the place after which, 6 to 8 the words of the filter.
  private static let source = "FROM group_member INDEXED BY group_member_by_name WHERE group_id = ?1 AND role < 2"
  private static let isVisible = "AND \(Visibility.isMember("?2", of: "?1"))"
  private static let after = "AND (name_key, id) > (?4, ?5)"
  private static let filter = "AND \(NameFilter.condition)"
  private static let limited = "ORDER BY name_key, id LIMIT ?3"

  static let all = SQL("SELECT id, name_key \(source) \(isVisible) \(limited)")
  static let allAfter = SQL("SELECT id, name_key \(source) \(isVisible) \(after) \(limited)")
  static let allCount = SQL("SELECT member_count FROM person_group WHERE id = ?1 \(isVisible)")
  static let filtered = SQL("SELECT id, name_key \(source) \(isVisible) \(filter) \(limited)")
  static let filteredAfter = SQL("SELECT id, name_key \(source) \(isVisible) \(after) \(filter) \(limited)")
  static let filteredCount = SQL("SELECT count(*) \(source) \(isVisible) \(filter)")

  static func page(of group: GlobalID, _ asked: PageQuery, _ context: RequestContext) throws -> Page {
    guard let viewer = context.viewer else { return Page() }
    let words = try NameFilter(asked.arguments)
    var page = Page()
    if asked.wantsItems {
      let statement = try context.reader.statement(
        asked.page.after == nil
          ? (words.isEmpty ? all : filtered) : (words.isEmpty ? allAfter : filteredAfter)
      )
      try statement.bind(1, group.rawValue)
      try statement.bind(2, viewer.member.rawValue)
      try words.bind(to: statement)
      if let cursor = asked.page.after {
        try statement.bind(4, cursor.text)
        try statement.bind(5, cursor.key.rawValue)
      }
      try page.fill(from: statement, asked, context.services.cipher) { row, key in
        Cursor([], text: row.string(1), key)
      }
    }
    if asked.wantsTotal {
      let statement = try context.reader.statement(words.isEmpty ? allCount : filteredCount)
      try statement.bind(1, group.rawValue)
      try statement.bind(2, viewer.member.rawValue)
      try words.bind(to: statement)
      page.total = try statement.first { row in row.int64(0) } ?? 0
    }
    return page
  }
}
