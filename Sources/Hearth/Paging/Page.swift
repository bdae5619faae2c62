import GraphQL
import Storage

/// Something on a page of a connection.
struct PageItem {
  let key: GlobalID
  /// Made only where the document asks for cursors.
  let cursor: String?
}

/// One parent's page of a connection, as a loader has found it.
struct Page {
  var items: [PageItem] = []
  var hasNext = false
  var hasPrevious = false
  var total: Int64?

  /// Takes the rows of a statement whose first column is the key, whose parameter 3 says how many, and whose others are
  /// bound; `place` is asked for what a cursor is made of.
  mutating func fill(
    from statement: Statement,
    _ asked: PageQuery,
    _ cipher: IdentifierCipher,
    _ place: (Row, GlobalID) -> Cursor
  ) throws(DatabaseError) {
    hasPrevious = asked.page.after != nil
    // Most pages are short: one allocation for those, instead of growing from one.
    items.reserveCapacity(min(Int(asked.page.first), 12))
    // One more than asked tells whether there are more.
    try statement.bind(3, asked.page.first + 1)
    try statement.forEachRow { row in
      if items.count == Int(asked.page.first) {
        hasNext = true
        return
      }
      let key = GlobalID(rawValue: row.int64(0))
      items.append(PageItem(key: key, cursor: asked.wantsCursors ? place(row, key).text(cipher) : nil))
    }
  }
}

/// What a connection's arguments ask for (the Relay cursor connections specification).
struct PageRequest {
  static let maximum: Int64 = 100
  let first: Int64
  let after: Cursor?

  init(_ arguments: Arguments, in list: ListOrder, _ cipher: IdentifierCipher) throws(FieldError) {
    first = arguments["first"]?.int ?? list.usualPage
    guard (0...Self.maximum).contains(first) else {
      throw FieldError("`first` is \(first), but must be from 0 to \(Self.maximum).", code: .badUserInput)
    }
    guard let text = arguments["after"]?.string else {
      after = nil
      return
    }
    guard let cursor = Cursor(text, in: list, cipher) else {
      throw FieldError("`after` is not a cursor of this list.", code: .badUserInput)
    }
    after = cursor
  }
}

/// What a list is ordered by: so many values, or a text, and then the keys of one kind; and how long its pages are.
struct ListOrder: Sendable {
  let values: Int
  var hasText = false
  let kind: Kind
  /// How many a page has where `first` is `null`: the schema's default for it.
  var usualPage: Int64 = 50
}

/// The columns of a connection's own object: where its page lies among `RequestContext.pageItems`, and what is known of
/// the whole.
enum ConnectionColumn: Int, StoredColumns {
  case start, count, hasNext, hasPrevious, total

  var column: StoredType.Column {
    switch self {
    case .start, .count, .total: .integer("")
    case .hasNext, .hasPrevious: .boolean("")
    }
  }
}

enum EdgeColumn: Int, StoredColumns {
  case cursor, node

  var column: StoredType.Column {
    switch self {
    case .cursor: .text("")
    case .node: .key("")
    }
  }
}

enum PageInfoColumn: Int, StoredColumns {
  case hasNext, hasPrevious, startCursor, endCursor

  var column: StoredType.Column {
    switch self {
    case .hasNext, .hasPrevious: .boolean("")
    case .startCursor, .endCursor: .text("")
    }
  }
}

extension FieldBinding {
  /// A connection: `load` finds the page of one parent. One statement, kept and run again for each parent, so that a page
  /// costs what is on it: joined to all parents at once it would read every parent's list to its end.
  static func connection(
    _ order: ListOrder,
    _ load: @escaping @Sendable (_ parent: GlobalID, _ asked: PageQuery, RequestContext) throws -> Page
  ) -> FieldBinding {
    connection({ _ in order }, load)
  }

  /// The same for a list whose order is an argument.
  static func connection(
    _ order: @escaping @Sendable (Arguments) -> ListOrder,
    _ load: @escaping @Sendable (_ parent: GlobalID, _ asked: PageQuery, RequestContext) throws -> Page
  ) -> FieldBinding {
    .load(needs: []) { batch, context in
      let context = request(context)
      let wantsCursors = batch.selects("edges") || batch.selects("pageInfo")
      let asked = PageQuery(
        page: try PageRequest(batch.arguments, in: order(batch.arguments), context.services.cipher),
        arguments: batch.arguments,
        wantsCursors: wantsCursors,
        wantsTotal: batch.selects("totalCount"),
        wantsItems: wantsCursors || batch.selects("nodes")
      )
      let rows = batch.rows(of: batch.resultType)
      for slot in 0..<batch.count {
        let page = try load(GlobalID(rawValue: batch.key(slot)), asked, context)
        let row = rows.addUnkeyed()
        rows.set(row, ConnectionColumn.start.rawValue, int: Int64(context.pageItems.count))
        rows.set(row, ConnectionColumn.count.rawValue, int: Int64(page.items.count))
        rows.set(row, ConnectionColumn.hasNext.rawValue, int: page.hasNext ? 1 : 0)
        rows.set(row, ConnectionColumn.hasPrevious.rawValue, int: page.hasPrevious ? 1 : 0)
        if let total = page.total { rows.set(row, ConnectionColumn.total.rawValue, int: total) }
        context.pageItems += page.items
        batch.add(slot, row: row, of: batch.resultType)
      }
    }
  }
}

/// What a document asks of a connection.
struct PageQuery {
  let page: PageRequest
  let arguments: Arguments
  let wantsCursors: Bool
  let wantsTotal: Bool
  let wantsItems: Bool
}

extension ObjectBinding {
  /// `XConnection`.
  static let connection = ObjectBinding(
    columns: ConnectionColumn.allCases.map(\.column.format),
    fields: [
      "nodes": .objects(needs: [ConnectionColumn.start, .count]) { batch, context in
        for slot in 0..<batch.count {
          for item in items(of: batch, slot, context) { batch.add(slot, key: item.key.rawValue) }
        }
      },
      "edges": .objects(needs: [ConnectionColumn.start, .count]) { batch, context in
        let rows = batch.rows(of: batch.resultType)
        for slot in 0..<batch.count {
          for item in items(of: batch, slot, context) {
            let row = rows.addUnkeyed()
            rows.set(row, EdgeColumn.node.rawValue, int: item.key.rawValue)
            if let cursor = item.cursor { rows.set(row, EdgeColumn.cursor.rawValue, text: cursor) }
            batch.add(slot, row: row, of: batch.resultType)
          }
        }
      },
      "pageInfo": .objects(needs: ConnectionColumn.allCases) { batch, context in
        let rows = batch.rows(of: batch.resultType)
        for slot in 0..<batch.count {
          let row = rows.addUnkeyed()
          let page = items(of: batch, slot, context)
          let hasNext = batch.int(slot, ConnectionColumn.hasNext.rawValue) ?? 0
          let hasPrevious = batch.int(slot, ConnectionColumn.hasPrevious.rawValue) ?? 0
          rows.set(row, PageInfoColumn.hasNext.rawValue, int: hasNext)
          rows.set(row, PageInfoColumn.hasPrevious.rawValue, int: hasPrevious)
          if let cursor = page.first?.cursor { rows.set(row, PageInfoColumn.startCursor.rawValue, text: cursor) }
          if let cursor = page.last?.cursor { rows.set(row, PageInfoColumn.endCursor.rawValue, text: cursor) }
          batch.add(slot, row: row, of: batch.resultType)
        }
      },
      "totalCount": .stored(ConnectionColumn.total),
    ]
  )

  /// `XEdge`.
  static let edge = ObjectBinding(
    columns: EdgeColumn.allCases.map(\.column.format),
    fields: ["cursor": .stored(EdgeColumn.cursor), "node": .reference(EdgeColumn.node)]
  )

  static let pageInfo = ObjectBinding(
    columns: PageInfoColumn.allCases.map(\.column.format),
    fields: [
      "hasNextPage": .stored(PageInfoColumn.hasNext),
      "hasPreviousPage": .stored(PageInfoColumn.hasPrevious),
      "startCursor": .stored(PageInfoColumn.startCursor),
      "endCursor": .stored(PageInfoColumn.endCursor),
    ]
  )

  private static func items(of batch: borrowing Batch, _ slot: Int, _ context: RequestContext) -> ArraySlice<PageItem> {
    let start = Int(batch.int(slot, ConnectionColumn.start.rawValue) ?? 0)
    let count = Int(batch.int(slot, ConnectionColumn.count.rawValue) ?? 0)
    return context.pageItems[start..<(start + count)]
  }
}
