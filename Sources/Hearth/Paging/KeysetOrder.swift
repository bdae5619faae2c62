import Storage

/// The sort order of a list: columns of integers or text, and the key as a tie-breaker, so that no two rows are at the
/// same position.
struct KeysetOrder: Sendable {
  /// At most two: see `KeysetPosition`.
  let integers: [String]
  let text: String?
  let key: String
  /// Applies to lists that are sorted by the key alone.
  let isDescending: Bool

  private init(integers: [String] = [], text: String? = nil, key: String, isDescending: Bool = false) {
    self.integers = integers
    self.text = text
    self.key = key
    self.isDescending = isDescending
  }

  static let oldestFirst = KeysetOrder(key: "id")
  static let newestFirst = KeysetOrder(key: "id", isDescending: true)

  /// The order of address books: see `NameOrder`.
  static let byName = KeysetOrder(text: "name_key", key: "id")

  static func by(_ integer: String, key: String = "id") -> KeysetOrder { KeysetOrder(integers: [integer], key: key) }

  static func by(_ integer: String, then next: String, key: String = "id") -> KeysetOrder {
    KeysetOrder(integers: [integer, next], key: key)
  }

  /// The columns that a page selects: the key, and the other components of a cursor.
  var columns: String { ([key] + integers + [text].compactMap(\.self)).joined(separator: ", ") }

  /// The columns after ORDER BY. Reversed, the same index is read from its end.
  func clause(isReversed: Bool = false) -> String {
    let direction = isReversed == isDescending ? "" : " DESC"
    return (integers + [text].compactMap(\.self) + [key]).map { $0 + direction }.joined(separator: ", ")
  }

  /// The condition that a row comes after a position.
  var isAfterPosition: SQLFragment<KeysetPosition> { comparison(isDescending ? "<" : ">") }

  /// The condition that a row comes before a position.
  var isBeforePosition: SQLFragment<KeysetPosition> { comparison(isDescending ? ">" : "<") }

  private func comparison(_ comparator: String) -> SQLFragment<KeysetPosition> {
    switch (integers.count, text) {
    case (0, nil): "\(sql: key) \(sql: comparator) \(\.key)"
    case (0, let text?): "(\(sql: text), \(sql: key)) \(sql: comparator) (\(\.text), \(\.key))"
    case (1, _): "(\(sql: integers[0]), \(sql: key)) \(sql: comparator) (\(\.first), \(\.key))"
    default:
      "(\(sql: integers[0]), \(sql: integers[1]), \(sql: key)) \(sql: comparator) (\(\.first), \(\.second), \(\.key))"
    }
  }

  /// The cursor of a row that has `columns`.
  func cursor(of row: Row, _ key: GlobalID) -> Cursor {
    switch integers.count {
    case 0: Cursor([], text: text == nil ? nil : row.string(1), key)
    case 1: Cursor([row.int64(1)], key)
    default: Cursor([row.int64(1), row.int64(2)], key)
    }
  }
}

/// The values of a cursor as parameters of a statement. Values that the list is not sorted by are not bound.
struct KeysetPosition: Sendable {
  var first: Int64 = 0
  var second: Int64 = 0
  var text: String?
  var key = GlobalID(rawValue: 0)

  /// The number of values matches the order, because the cursor was parsed with the list's `ListOrder`.
  init(_ cursor: Cursor?) {
    guard let cursor else { return }
    if let value = cursor.values.first { first = value }
    if cursor.values.count > 1 { second = cursor.values[1] }
    text = cursor.text
    key = cursor.key
  }
}
