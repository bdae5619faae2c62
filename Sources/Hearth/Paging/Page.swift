import GraphQL
import Storage

/// One parent's page of a connection, as a loader has found it.
struct Page {
  private(set) var keys: [GlobalID] = []
  /// As many as there are keys where the document asks for cursors, and none where it does not.
  private(set) var cursors: [String] = []
  var hasNext = false
  var hasPrevious = false
  var total: Int64?

  /// For a list that is not filled from one statement. `cursor` is evaluated where the document asks for cursors.
  mutating func append(_ key: GlobalID, _ asked: PageQuery, _ cursor: @autoclosure () -> String) {
    keys.append(key)
    if asked.wantsCursors { cursors.append(cursor()) }
  }

  /// Takes the rows of a statement that has one more than the page, with the columns of `order` where the document asks
  /// for cursors.
  mutating func fill(
    from statement: Statement,
    _ asked: PageQuery,
    _ cipher: IdentifierCipher,
    _ order: KeysetOrder
  ) throws(DatabaseError) {
    hasPrevious = asked.page.after != nil
    // Most pages are short: one allocation for those, instead of growing from one.
    keys.reserveCapacity(min(Int(asked.page.first), 12))
    try statement.forEachRow { row in
      if keys.count == Int(asked.page.first) {
        hasNext = true
        return
      }
      let key = GlobalID(rawValue: row.int64(0))
      keys.append(key)
      if asked.wantsCursors { cursors.append(order.cursor(of: row, key).text(cipher)) }
    }
  }
}

/// What a connection's arguments ask for (the Relay cursor connections specification).
struct PageRequest {
  let first: Int64
  let after: Cursor?

  init(_ arguments: Arguments, in list: ListOrder, _ cipher: IdentifierCipher) throws(FieldError) {
    first = arguments["first"]?.int ?? list.usualPage
    guard (0...list.maximum).contains(first) else {
      throw FieldError("`first` is \(first), but must be from 0 to \(list.maximum).", code: .badUserInput)
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

/// What a list is ordered by: so many values, or a text, and then the keys of what is in it; and how long its pages
/// are.
struct ListOrder: Sendable {
  let values: Int
  let hasText: Bool
  let kinds: [Kind]
  /// How many a page has where `first` is `null`: the schema's default for it.
  let usualPage: Int64
  /// How many a page can have.
  let maximum: Int64

  init(values: Int, hasText: Bool = false, kinds: [Kind], usualPage: Int64 = 50, maximum: Int64 = 100) {
    self.values = values
    self.hasText = hasText
    self.kinds = kinds
    self.usualPage = usualPage
    self.maximum = maximum
  }

  init(values: Int, hasText: Bool = false, kind: Kind, usualPage: Int64 = 50) {
    self.init(values: values, hasText: hasText, kinds: [kind], usualPage: usualPage)
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
