import GraphQL
import Storage

/// The page of a connection for one parent object.
struct Page {
  private(set) var keys: [GlobalID] = []
  /// One per key if the document selects cursors, and empty otherwise.
  private(set) var cursors: [String] = []
  var hasNext = false
  var hasPrevious = false
  var total: Int64?

  /// Adds an element of a list that is not read by a single statement. `cursor` is evaluated only if the document
  /// selects cursors.
  mutating func append(_ key: GlobalID, for pageQuery: PageQuery, cursor: @autoclosure () -> String) {
    keys.append(key)
    if pageQuery.wantsCursors { cursors.append(cursor()) }
  }

  /// Reads the rows of a statement that selects one row more than the page, with the columns of `order` if the document
  /// selects cursors.
  mutating func fill(
    from statement: Statement,
    _ pageQuery: PageQuery,
    _ cipher: IdentifierCipher,
    _ order: KeysetOrder
  ) throws(DatabaseError) {
    hasPrevious = pageQuery.page.after != nil
    // Most pages are short, and one allocation for them is cheaper than growing the array.
    keys.reserveCapacity(min(Int(pageQuery.page.first), 12))
    try statement.forEachRow { row in
      if keys.count == Int(pageQuery.page.first) {
        hasNext = true
        return
      }
      let key = GlobalID(rawValue: row.int64(0))
      keys.append(key)
      if pageQuery.wantsCursors { cursors.append(order.cursor(of: row, key).text(cipher)) }
    }
  }
}

/// The arguments of a connection (Relay cursor connections specification).
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

/// The order of a list: the number of integers, whether there is a text, and the kinds of the keys; and the sizes of
/// its pages.
struct ListOrder: Sendable {
  let values: Int
  let hasText: Bool
  let kinds: [Kind]
  /// The page size if `first` is `null`: the default value in the schema.
  let usualPage: Int64
  /// The maximum page size.
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

/// The page and the fields of a connection that a document selects.
struct PageQuery {
  let page: PageRequest
  let arguments: Arguments
  let wantsCursors: Bool
  let wantsTotal: Bool
  let wantsItems: Bool
}
