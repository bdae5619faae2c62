import Basics
import GraphQL
import Storage

/// A list that is read page by page with keyset pagination. A page costs only its own rows, wherever it starts, as long
/// as an index contains the rows of the condition in the list's order.
///
/// A list is declared once, and its statements are derived:
///
/// ```swift
/// static let list = KeysetList<GlobalID>(
///   "contact", index: "contact_by_name", where: "owner_id = \(\.self)", order: .byName)
/// ```
///
/// `Criteria` is what a caller passes to read a page: the owner of the list, and the values of the field's arguments.
struct KeysetList<Criteria: Sendable>: Sendable {
  /// The parameters of a page's statements.
  struct PageParameters: Sendable {
    var filter: Criteria
    /// One more than the page size, to detect whether there are more rows.
    var limit: Int64
    var position: KeysetPosition
  }

  /// The first page.
  let first: SQL<PageParameters>
  /// The first page without the columns of cursors, for documents that do not select them: each column costs some 25 ns
  /// per row. Equal to `first` if a cursor consists of the key only.
  let keys: SQL<PageParameters>
  /// The page after a cursor.
  let after: SQL<PageParameters>
  /// The last page, in the reverse order.
  let last: SQL<PageParameters>
  /// The page before a cursor, in the reverse order.
  let before: SQL<PageParameters>
  /// The length of the list.
  let count: SQL<Criteria>
  let order: KeysetOrder

  /// - Parameters:
  ///   - source: the FROM clause.
  ///   - index: the index in the list's order. Nil for the primary key.
  ///   - condition: the condition that the index satisfies.
  ///   - rest: a further filter; nil for none.
  ///   - count: reads the length of the list from another table. Without it, the rows are counted.
  init(
    _ source: SQLFragment<Criteria>,
    index: String? = nil,
    where condition: SQLFragment<Criteria>,
    and rest: SQLFragment<Criteria>? = nil,
    order: KeysetOrder,
    count: SQL<Criteria>? = nil
  ) {
    self.order = order
    let index: SQLFragment<Criteria> = index.map { " \(index: $0)" } ?? ""
    let found: SQLFragment<Criteria> = "\(source)\(index) WHERE \(condition)"
    let filter: SQLFragment<Criteria> = rest.map { " AND \($0)" } ?? ""
    let page: (String, SQLFragment<PageParameters>, String) -> SQL<PageParameters> = { columns, position, clause in
      SQL(
        """
        SELECT \(sql: columns) FROM \(found, of: \.filter)\(position)\(filter, of: \.filter) \
        ORDER BY \(sql: clause) LIMIT \(\.limit)
        """
      )
    }
    let (forward, backward) = (order.clause(), order.clause(isReversed: true))
    first = page(order.columns, "", forward)
    keys = order.columns == order.key ? first : page(order.key, "", forward)
    after = page(order.columns, " AND \(order.isAfterPosition, of: \.position)", forward)
    last = page(order.columns, "", backward)
    before = page(order.columns, " AND \(order.isBeforePosition, of: \.position)", backward)
    self.count = count ?? SQL("SELECT count(*) FROM \(found)\(filter)")
  }

  /// A list of rows of one owner.
  ///
  /// - Parameter condition: the condition that the index satisfies beside the owner.
  init(
    _ table: PartitionedTable,
    of owner: KeyPath<Criteria, GlobalID>,
    index: String? = nil,
    where condition: SQLFragment<Criteria> = "TRUE",
    and rest: SQLFragment<Criteria>? = nil,
    order: KeysetOrder,
    count: SQL<Criteria>? = nil
  ) {
    self.init(
      "\(rows: table, of: owner, index: index) AS \(sql: table.name)",
      where: condition,
      and: rest,
      order: order,
      count: count
    )
  }

  /// Reads one page of the list, and its length if selected.
  ///
  /// - Parameter total: a statement that replaces the list's own count.
  func page(
    _ filter: Criteria,
    pageQuery: PageQuery,
    in context: RequestContext,
    countedBy total: SQL<Criteria>? = nil
  ) throws -> Page {
    var page = Page()
    if pageQuery.wantsItems {
      try page.fill(
        from: statement(filter, pageQuery: pageQuery, from: context.reader),
        pageQuery: pageQuery,
        cipher: context.cipher,
        order: order
      )
      context.trace?.count(rows: page.keys.count)
    }
    if pageQuery.wantsTotal {
      page.total = try context.reader.number(of: total ?? count, filter) ?? 0
    }
    return page
  }

  /// The statement of the page. Each call names its SQL directly, because a copy would be retained.
  private func statement(
    _ filter: Criteria,
    pageQuery: PageQuery,
    from reader: Reader
  ) throws(DatabaseError) -> Statement {
    let page = pageQuery.page
    let parameters = PageParameters(filter: filter, limit: page.size + 1, position: KeysetPosition(page.cursor))
    switch (page.direction, page.cursor != nil) {
    case (.forward, false):
      return pageQuery.wantsCursors
        ? try reader.statement(first, parameters) : try reader.statement(keys, parameters)
    case (.forward, true): return try reader.statement(after, parameters)
    case (.backward, false): return try reader.statement(last, parameters)
    case (.backward, true): return try reader.statement(before, parameters)
    }
  }
}
