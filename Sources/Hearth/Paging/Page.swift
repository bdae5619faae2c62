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
  /// selects cursors. A page that is read backward has its rows in the reverse order of the list.
  mutating func fill(
    from statement: Statement,
    pageQuery: PageQuery,
    cipher: IdentifierCipher,
    order: KeysetOrder
  ) throws(DatabaseError) {
    var hasMore = false
    // Most pages are short, and one allocation for them is cheaper than growing the array.
    keys.reserveCapacity(min(Int(pageQuery.page.size), 12))
    try statement.forEachRow { row in
      if keys.count == Int(pageQuery.page.size) {
        hasMore = true
        return
      }
      let key = row.key(0)
      keys.append(key)
      if pageQuery.wantsCursors { cursors.append(order.cursor(of: row, key).text(cipher)) }
    }
    finish(pageQuery.page, hasMore: hasMore)
  }

  /// Completes a page whose elements were added in the direction of reading.
  ///
  /// On the side of the cursor there are more elements, at least that of the cursor (`hasPreviousPage` and
  /// `hasNextPage` of the Relay cursor connections specification).
  ///
  /// - Parameter hasMore: whether there are more elements in the direction of reading.
  mutating func finish(_ page: PageRequest, hasMore: Bool) {
    switch page.direction {
    case .forward:
      hasNext = hasMore
      hasPrevious = page.cursor != nil
    case .backward:
      hasPrevious = hasMore
      hasNext = page.cursor != nil
      keys.reverse()
      cursors.reverse()
    }
  }
}

/// The arguments of a connection (Relay cursor connections specification): `first` and `after` read forward, `last` and
/// `before` backward.
struct PageRequest {
  enum Direction {
    case forward, backward
  }

  let direction: Direction
  /// The maximum number of elements.
  let size: Int64
  /// The page begins after it, or ends before it.
  let cursor: Cursor?

  /// A document that provides both `first` and `last` is rejected before its execution (`SlicingArguments`). Here,
  /// `first` has its default value when `last` is provided.
  init(_ arguments: Arguments, in list: ListOrder, _ cipher: IdentifierCipher) throws(FieldError) {
    let last = arguments["last"]?.int
    let (after, before) = (arguments["after"]?.string, arguments["before"]?.string)
    if last != nil, after != nil {
      throw FieldError("`last` can only be combined with `before`, and `after` with `first`.", code: .badUserInput)
    }
    if last == nil, before != nil {
      throw FieldError("`before` requires `last`.", code: .badUserInput)
    }
    direction = last == nil ? .forward : .backward
    size = last ?? arguments["first"]?.int ?? list.usualPage
    guard (0...list.maximum).contains(size) else {
      let name = last == nil ? "first" : "last"
      throw FieldError("`\(name)` is \(size), but must be from 0 to \(list.maximum).", code: .badUserInput)
    }
    guard let text = after ?? before else {
      cursor = nil
      return
    }
    guard let cursor = Cursor(text, in: list, cipher) else {
      let name = after == nil ? "before" : "after"
      throw FieldError("`\(name)` is not a cursor of this list.", code: .badUserInput)
    }
    self.cursor = cursor
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
