import GraphQL
import Storage

/// A family's reminders, the soonest first.
enum ReminderPages {
  static let order = ListOrder(values: 1, kind: .reminder)

  /// Parameters: 1 the family, 3 how many, 4 a bit for each status that is asked for, 5 and 6 the place after which.
  static let first = SQL(
    """
    SELECT id, remind_at FROM reminder INDEXED BY reminder_by_time \
    WHERE family_id = ?1 AND (?4 >> status) & 1 ORDER BY remind_at, id LIMIT ?3
    """
  )
  static let after = SQL(
    """
    SELECT id, remind_at FROM reminder INDEXED BY reminder_by_time \
    WHERE family_id = ?1 AND (remind_at, id) > (?5, ?6) AND (?4 >> status) & 1 ORDER BY remind_at, id LIMIT ?3
    """
  )
  static let count = SQL(
    "SELECT count(*) FROM reminder INDEXED BY reminder_by_time WHERE family_id = ?1 AND (?4 >> status) & 1"
  )

  static func ofFamily(_ family: GlobalID, _ asked: PageQuery, _ context: RequestContext) throws -> Page {
    guard family == context.viewer?.family else { return Page() }
    let statuses = statuses(asked.arguments)
    var page = Page()
    if asked.wantsItems {
      let statement = try context.reader.statement(asked.page.after == nil ? first : after)
      try statement.bind(1, family.rawValue)
      try statement.bind(4, statuses)
      if let cursor = asked.page.after {
        try statement.bind(5, cursor.values[0])
        try statement.bind(6, cursor.key.rawValue)
      }
      try page.fill(from: statement, asked, context.services.cipher) { row, key in Cursor([row.int64(1)], key) }
    }
    if asked.wantsTotal {
      let statement = try context.reader.statement(count)
      try statement.bind(1, family.rawValue)
      try statement.bind(4, statuses)
      page.total = try statement.first { row in row.int64(0) }
    }
    return page
  }

  /// A bit for each status; all of them where none is named.
  private static func statuses(_ arguments: Arguments) -> Int64 {
    guard let named = arguments["status"]?.list else { return -1 }
    return named.compactMap { $0.string.flatMap(ReminderStatus.init) }.reduce(0) { $0 | 1 << $1.stored }
  }
}
