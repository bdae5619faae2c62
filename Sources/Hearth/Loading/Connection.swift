import GraphQL
import Storage

/// The columns of a connection object: the index of its page in `RequestContext.pages`, and properties of the list.
enum ConnectionColumn: Int, StoredColumns {
  case page, hasNext, hasPrevious, total

  var column: StoredType.Column {
    switch self {
    case .page, .total: .integer("")
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
  /// A connection. `load` returns the page of one parent, or nil for null. Each parent is one execution of the same
  /// prepared statement, so a page costs only its own rows. A statement joined to all parents would read every parent's
  /// list to its end.
  static func connection(
    _ order: ListOrder,
    _ load: @escaping @Sendable (_ parent: GlobalID, _ pageQuery: PageQuery, RequestContext) throws -> Page?
  ) -> FieldBinding {
    connection({ _ in order }, load)
  }

  /// A connection whose order depends on its arguments.
  static func connection(
    _ order: @escaping @Sendable (Arguments) -> ListOrder,
    _ load: @escaping @Sendable (_ parent: GlobalID, _ pageQuery: PageQuery, RequestContext) throws -> Page?
  ) -> FieldBinding {
    .load(needs: []) { batch, context in
      let context = request(context)
      let wantsCursors = batch.selects("edges") || batch.selects("pageInfo")
      let pageQuery = PageQuery(
        page: try PageRequest(batch.arguments, in: order(batch.arguments), context.cipher),
        arguments: batch.arguments,
        wantsCursors: wantsCursors,
        wantsTotal: batch.selects("totalCount"),
        wantsItems: wantsCursors || batch.selects("nodes")
      )
      let rows = batch.rows(of: batch.resultType)
      if context.pages.isEmpty { context.pages.reserveCapacity(batch.count) }
      for parent in 0..<batch.count {
        guard let page = try load(GlobalID(rawValue: batch.key(parent)), pageQuery, context) else {
          batch.add(parent, resolved: .null)
          continue
        }
        let row = rows.addUnkeyed()
        rows.set(row, column: ConnectionColumn.page.rawValue, int: Int64(context.pages.count))
        rows.set(row, column: ConnectionColumn.hasNext.rawValue, int: page.hasNext ? 1 : 0)
        rows.set(row, column: ConnectionColumn.hasPrevious.rawValue, int: page.hasPrevious ? 1 : 0)
        if let total = page.total { rows.set(row, column: ConnectionColumn.total.rawValue, int: total) }
        context.pages.append(page)
        batch.add(parent, row: row, of: batch.resultType)
      }
    }
  }
}

extension ObjectBinding {
  /// `XConnection`.
  static let connection = ObjectBinding(
    columns: ConnectionColumn.allCases.map(\.column.format),
    fields: [
      "nodes": .objects(needs: [ConnectionColumn.page]) { batch, context in
        for parent in 0..<batch.count {
          for key in page(of: batch, parent: parent, in: context).keys { batch.add(parent, key: key.rawValue) }
        }
      },
      "edges": .objects(needs: [ConnectionColumn.page]) { batch, context in
        let rows = batch.rows(of: batch.resultType)
        for parent in 0..<batch.count {
          let page = page(of: batch, parent: parent, in: context)
          for (key, cursor) in zip(page.keys, page.cursors) {
            let row = rows.addUnkeyed()
            rows.set(row, column: EdgeColumn.node.rawValue, int: key.rawValue)
            rows.set(row, column: EdgeColumn.cursor.rawValue, text: cursor)
            batch.add(parent, row: row, of: batch.resultType)
          }
        }
      },
      "pageInfo": .objects(needs: ConnectionColumn.allCases) { batch, context in
        let rows = batch.rows(of: batch.resultType)
        for parent in 0..<batch.count {
          let row = rows.addUnkeyed()
          let cursors = page(of: batch, parent: parent, in: context).cursors
          let hasNext = batch.int(parent, column: ConnectionColumn.hasNext.rawValue) ?? 0
          let hasPrevious = batch.int(parent, column: ConnectionColumn.hasPrevious.rawValue) ?? 0
          rows.set(row, column: PageInfoColumn.hasNext.rawValue, int: hasNext)
          rows.set(row, column: PageInfoColumn.hasPrevious.rawValue, int: hasPrevious)
          if let cursor = cursors.first { rows.set(row, column: PageInfoColumn.startCursor.rawValue, text: cursor) }
          if let cursor = cursors.last { rows.set(row, column: PageInfoColumn.endCursor.rawValue, text: cursor) }
          batch.add(parent, row: row, of: batch.resultType)
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

  private static func page(of batch: borrowing Batch, parent: Int, in context: RequestContext) -> Page {
    batch.int(parent, column: ConnectionColumn.page.rawValue).map { context.pages[Int($0)] } ?? Page()
  }
}
