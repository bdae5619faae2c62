import Storage

/// Lists of a family's chores, by order and filter. A list reads the index of its order from the cursor on and skips
/// rows that do not match the filter. Where a filter would skip most rows, another index with the same order contains
/// only those that match.
enum ChoreLists {
  typealias Filter = (family: GlobalID, query: ChoreListQuery)
  typealias Condition = SQLFragment<Filter>

  static let priority = KeysetList<Filter>(
    .chore,
    of: \.family,
    index: "chore_by_priority",
    where: listed,
    and: filter,
    order: .by("priority_order", then: "due_order"),
    count: count
  )
  static let due = KeysetList<Filter>(
    .chore,
    of: \.family,
    index: "chore_by_due",
    where: listed,
    and: "\(dueRange) AND \(filter)",
    order: .by("due_order")
  )
  static let name = KeysetList<Filter>(
    .chore,
    of: \.family,
    index: "chore_by_name",
    where: listed,
    and: filter,
    order: .byName,
    count: count
  )
  static let newest = KeysetList<Filter>(
    .chore,
    of: \.family,
    where: listed,
    and: filter,
    order: .newestFirst,
    count: count
  )
  static let count = SQL<Filter>(
    "SELECT count(*) FROM \(rows: .chore, of: \.family) AS chore WHERE \(listed) AND \(filter)"
  )

  // MARK: By priority, with an index for the filter

  static let status = KeysetList<Filter>(
    .chore,
    of: \.family,
    index: "chore_by_status",
    where: "\(listed) AND status = \(\.query.status)",
    and: "\(ofPeriod) AND \(ofAssignee) AND \(others)",
    order: .by("priority_order", then: "due_order")
  )
  /// Chores that await a parent's approval.
  static let approval = KeysetList<Filter>(
    .chore,
    of: \.family,
    index: "chore_awaiting_approval",
    where: "\(listed) AND awaits_approval = 1",
    and: filter,
    order: .by("priority_order", then: "due_order")
  )
  static let period = KeysetList<Filter>(
    .chore,
    of: \.family,
    index: "chore_by_period",
    where: "\(listed) AND period = \(\.query.period)",
    and: "\(ofStatus) AND \(ofAssignee) AND \(others)",
    order: .by("priority_order", then: "due_order")
  )
  /// The chores of one member that have one status.
  static let assignee = KeysetList<Filter>(
    """
    \(rows: .assignment, of: \.family) AS a \(join: .asWritten) \
    \(rows: .chore, of: \.family) AS chore ON chore.id = a.chore_id
    """,
    where: """
      a.member_id = \(\.query.assignee) AND a.status = \(\.query.status) \
      AND removed_at IS NULL AND \(ofPeriod) AND \(others)
      """,
    order: .by("a.priority_order", then: "a.due_order", key: "a.chore_id")
  )

  // MARK: Conditions, each true when the filter does not use it

  private static var listed: Condition { "removed_at IS NULL" }
  private static var ofStatus: Condition {
    "(\(\.query.statuses) IS NULL OR (\(\.query.statuses) >> CAST(status AS INTEGER)) & 1 = 1)"
  }
  private static var ofPeriod: Condition { "(\(\.query.period) IS NULL OR period = \(\.query.period))" }
  private static var ofAssignee: Condition {
    """
    (\(\.query.assignee) IS NULL OR EXISTS (SELECT 1 FROM \(rows: .assignment, of: \.family) AS a \
    WHERE a.chore_id = chore.id AND a.member_id = \(\.query.assignee)))
    """
  }
  /// SQLite estimates that each term of a conjunction leaves fewer rows, and sorts what it believes to be few rows. The
  /// first two conditions are therefore one term.
  private static var others: Condition {
    """
    NOT ((\(\.query.isUnassigned) IS NOT NULL \
    AND \(\.query.isUnassigned) <> CASE WHEN length(assignees) = 0 THEN 1 ELSE 0 END) \
    OR (\(\.query.awaitsApproval) IS NOT NULL AND awaits_approval <> \(\.query.awaitsApproval))) \
    AND (\(\.query.frequency) IS NULL OR frequency = \(\.query.frequency)) \
    AND (\(\.query.dueBefore) IS NULL OR due_at < \(\.query.dueBefore)) \
    AND (\(\.query.dueAfter) IS NULL OR due_at >= \(\.query.dueAfter)) \
    AND (\(\.query.text) IS NULL OR \(positionOf: \.query.text, in: "name_key") > 0)
    """
  }
  private static var filter: Condition { "\(ofStatus) AND \(ofPeriod) AND \(ofAssignee) AND \(others)" }
  private static var dueRange: Condition {
    """
    due_order >= coalesce(\(\.query.dueAfter), \(sql: String(Int64.min))) \
    AND due_order <= coalesce(\(\.query.dueBefore) - 1, \(sql: String(Int64.max)))
    """
  }

  // MARK: Pages

  static func page(_ filter: Filter, pageQuery asked: PageQuery, in context: RequestContext) throws -> Page {
    if filter.query.matchesNothing {
      var page = Page()
      page.finish(asked.page, hasMore: false)
      page.total = 0
      return page
    }
    let list = list(for: filter.query)
    return try list.page(filter, pageQuery: asked, in: context, countedBy: counted(for: filter.query).count)
  }

  private static func list(for query: ChoreListQuery) -> KeysetList<Filter> {
    switch query.order {
    case .priority: narrowest(for: query) ?? priority
    case .due: due
    case .name: name
    case .newest: newest
    }
  }

  /// The list that counts the matches with the fewest rows. Its order does not matter.
  private static func counted(for query: ChoreListQuery) -> KeysetList<Filter> {
    narrowest(for: query) ?? (query.hasDueRange ? due : priority)
  }

  private static func narrowest(for query: ChoreListQuery) -> KeysetList<Filter>? {
    switch query.narrowest {
    case .approval: approval
    case .assignee: assignee
    case .period: period
    case .status: status
    case nil: nil
    }
  }
}
