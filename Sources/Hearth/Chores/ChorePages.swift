import GraphQL
import Storage

/// Lists of chores, most urgent first.
enum ChorePages {
  /// Priority, due time.
  static let order = ListOrder(values: 2, kind: .chore)

  /// Parameters: 1 the family, 2 the member, 3 how many, 4 to 6 the place after which.
  static let assigned = SQL(
    """
    SELECT chore_id, priority_order, due_order FROM assignment \
    WHERE family_id = ?1 AND member_id = ?2 AND status = 0 \
    ORDER BY priority_order, due_order, chore_id LIMIT ?3
    """
  )
  /// The same without what cursors are made of: two columns fewer for each of a dashboard's rows.
  static let assignedKeys = SQL(
    """
    SELECT chore_id FROM assignment \
    WHERE family_id = ?1 AND member_id = ?2 AND status = 0 \
    ORDER BY priority_order, due_order, chore_id LIMIT ?3
    """
  )
  static let assignedAfter = SQL(
    """
    SELECT chore_id, priority_order, due_order FROM assignment \
    WHERE family_id = ?1 AND member_id = ?2 AND status = 0 AND (priority_order, due_order, chore_id) > (?4, ?5, ?6) \
    ORDER BY priority_order, due_order, chore_id LIMIT ?3
    """
  )
  static let assignedCount = SQL(
    "SELECT count(*) FROM assignment WHERE family_id = ?1 AND member_id = ?2 AND status = 0"
  )

  static let ofFamily = SQL(
    """
    SELECT id, priority_order, due_order FROM chore INDEXED BY chore_by_priority \
    WHERE family_id = ?1 AND removed_at IS NULL ORDER BY priority_order, due_order, id LIMIT ?3
    """
  )
  static let ofFamilyAfter = SQL(
    """
    SELECT id, priority_order, due_order FROM chore INDEXED BY chore_by_priority \
    WHERE family_id = ?1 AND removed_at IS NULL AND (priority_order, due_order, id) > (?4, ?5, ?6) \
    ORDER BY priority_order, due_order, id LIMIT ?3
    """
  )
  static let ofFamilyCount = SQL(
    "SELECT count(*) FROM chore WHERE family_id = ?1 AND removed_at IS NULL"
  )

  static func assigned(to member: GlobalID, _ asked: PageQuery, _ context: RequestContext) throws -> Page {
    try page(
      asked,
      member,
      first: asked.wantsCursors ? assigned : assignedKeys,
      after: assignedAfter,
      count: assignedCount,
      context
    )
  }

  static func ofFamily(_ family: GlobalID, _ asked: PageQuery, _ context: RequestContext) throws -> Page {
    guard family == context.viewer?.family else { return Page() }
    let query = ChoreListQuery(asked.arguments, context.services.cipher)
    guard query.order == .priority, query.isEverything else { return try ChoreList(query).page(asked, context) }
    return try page(asked, nil, first: ofFamily, after: ofFamilyAfter, count: ofFamilyCount, context)
  }

  private static func page(
    _ asked: PageQuery,
    _ member: GlobalID?,
    first: SQL<Positional>,
    after: SQL<Positional>,
    count: SQL<Positional>,
    _ context: RequestContext
  ) throws -> Page {
    guard let family = context.viewer?.family else { return Page() }
    var page = Page()
    if asked.wantsItems {
      let statement = try context.reader.statement(asked.page.after == nil ? first : after)
      try statement.bind(1, family.rawValue)
      if let member { try statement.bind(2, member.rawValue) }
      if let cursor = asked.page.after {
        try statement.bind(4, cursor.values[0])
        try statement.bind(5, cursor.values[1])
        try statement.bind(6, cursor.key.rawValue)
      }
      try page.fill(from: statement, asked, context.services.cipher) { row, key in
        Cursor([row.int64(1), row.int64(2)], key)
      }
    }
    if asked.wantsTotal {
      let counting = try context.reader.statement(count)
      try counting.bind(1, family.rawValue)
      if let member { try counting.bind(2, member.rawValue) }
      page.total = try counting.first { row in row.int64(0) }
    }
    return page
  }
}
