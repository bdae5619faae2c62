import GraphQL
import Storage

/// A list that is read page by page from the position of a cursor (keyset pagination). A page costs the rows that it
/// has, wherever it lies, as long as an index has the rows of the condition in the list's order.
///
/// A list is declared once, and its statements are derived:
///
/// ```swift
/// static let list = KeysetList<GlobalID>(
///   "contact", index: "contact_by_name", where: "owner_id = \(\.self)", order: .byName)
/// ```
///
/// `Criteria` is what a caller passes to read a page: the owner of the list, and what the field's arguments ask for.
struct KeysetList<Criteria: Sendable>: Sendable {
  /// What the statements of a page are given.
  struct PageParameters: Sendable {
    var filter: Criteria
    /// One row more than the page has tells whether there are more.
    var limit: Int64
    var after: KeysetPosition
  }

  /// The first page.
  let first: SQL<PageParameters>
  /// The first page without the columns of its cursors, for documents that do not ask for them: each column costs some
  /// 25 ns a row. Nil where a cursor has only the key.
  let keys: SQL<PageParameters>?
  /// The page after a cursor.
  let after: SQL<PageParameters>
  /// The length of the list.
  let count: SQL<Criteria>
  let order: KeysetOrder

  /// - Parameters:
  ///   - source: what stands after FROM.
  ///   - index: the index that has the list's order. Nil where it is the primary key.
  ///   - condition: which rows the index finds.
  ///   - rest: which of these are in the list; nil for all of them.
  ///   - count: reads the length of the list from elsewhere. Without it, the rows are counted.
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
    let page: (String, SQLFragment<PageParameters>) -> SQL<PageParameters> = { columns, position in
      SQL(
        """
        SELECT \(sql: columns) FROM \(found, of: \.filter)\(position)\(filter, of: \.filter) \
        ORDER BY \(sql: order.clause) LIMIT \(\.limit)
        """
      )
    }
    first = page(order.columns, "")
    keys = order.columns == order.key ? nil : page(order.key, "")
    after = page(order.columns, " AND \(order.isAfterPosition, of: \.after)")
    self.count = count ?? SQL("SELECT count(*) FROM \(found)\(filter)")
  }

  /// One page of the list, with its length where that is asked for.
  ///
  /// - Parameter total: counts the list in another way than its own.
  func page(
    _ filter: Criteria,
    _ asked: PageQuery,
    _ context: RequestContext,
    countedBy total: SQL<Criteria>? = nil
  ) throws -> Page {
    var page = Page()
    if asked.wantsItems {
      let cursor = asked.page.after
      let sql = cursor != nil ? after : asked.wantsCursors ? first : keys ?? first
      let parameters = PageParameters(filter: filter, limit: asked.page.first + 1, after: KeysetPosition(cursor))
      try page.fill(from: context.reader.statement(sql, parameters), asked, context.services.cipher, order)
    }
    if asked.wantsTotal {
      page.total = try context.reader.first(of: total ?? count, filter) { row in row.int64(0) } ?? 0
    }
    return page
  }
}
