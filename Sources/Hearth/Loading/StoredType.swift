import GraphQL
import Storage

/// An object type whose objects are table rows, and the SQL expressions of its columns.
struct StoredType: Sendable {
  struct Column: Sendable {
    enum Source: Sendable {
      /// The id that clients see: the encrypted key of the row.
      case identifier
      /// An SQL expression.
      case sql(SQLFragment<LoaderParameters>)
      /// An SQL expression whose bytes only a resolver reads. They are never written to a response themselves.
      case bytes(SQLFragment<LoaderParameters>)
    }
    let source: Source
    let format: ColumnFormat
  }

  /// The SQL expression of a row's key.
  let key: SQLFragment<LoaderParameters>
  let columns: [Column]
  var formats: [ColumnFormat] { columns.map(\.format) }

  init<Columns: StoredColumns>(key: SQLFragment<LoaderParameters>, _: Columns.Type) {
    self.key = key
    columns = Columns.allCases.map(\.column)
  }
}

/// The columns of a stored type that a plan reads: the SELECT list, and how to read its rows.
struct Selection: Sendable {
  private enum ColumnRead: Sendable {
    case identifier
    case text(Int)
    case bytes(Int)
    case number(Int)
  }

  /// The SELECT list. The key comes first.
  let list: SQLFragment<LoaderParameters>
  private let columnReads: [(column: Int, kind: ColumnRead)]

  /// - Parameter wanted: a bit for each column.
  init(_ wanted: UInt64, of type: StoredType) {
    var list = [type.key]
    func append(_ expression: SQLFragment<LoaderParameters>) -> Int {
      list.append(expression)
      return list.count - 1
    }
    var columnReads: [(Int, ColumnRead)] = []
    for (index, column) in type.columns.enumerated() where wanted & 1 << UInt64(index) != 0 {
      switch column.source {
      case .identifier: columnReads.append((index, .identifier))
      case .sql(let expression):
        let offset = append(expression)
        columnReads.append((index, column.format == .text ? .text(offset) : .number(offset)))
      case .bytes(let expression): columnReads.append((index, .bytes(append(expression))))
      }
    }
    self.list = SQLFragment(joining: list)
    self.columnReads = columnReads
  }

  /// Adds a row to the request unless it is present already, and returns its index. The row's SELECT list begins at
  /// column `first`.
  @inline(__always)
  func take(_ row: Row, from first: Int, into rows: RowLoading, _ cipher: IdentifierCipher) -> Int {
    let key = row.int64(first)
    let (rowIndex, isNew) = rows.row(of: key)
    if isNew { fill(rowIndex, with: row, from: first, key: key, in: rows, cipher) }
    return rowIndex
  }

  /// Copies the columns of a row.
  @inline(__always)
  func fill(
    _ rowIndex: Int,
    with row: Row,
    from first: Int,
    key: Int64,
    in rows: RowLoading,
    _ cipher: IdentifierCipher
  ) {
    // Iterating over the indices avoids a retain of the array for every row.
    for index in columnReads.indices {
      let column = columnReads[index].column
      switch columnReads[index].kind {
      case .identifier:
        cipher.withText(of: GlobalID(rawValue: key)) { rows.set(rowIndex, column: column, text: $0, isPlain: true) }
      case .text(let offset):
        let text = row.text(first + offset)
        if text.baseAddress != nil { rows.set(rowIndex, column: column, text: text) }
      case .bytes(let offset): rows.set(rowIndex, column: column, text: row.blob(first + offset))
      case .number(let offset):
        // NULL reads as 0, so most numbers need not be tested for it.
        let number = row.int64(first + offset)
        if number != 0 || !row.isNull(first + offset) { rows.set(rowIndex, column: column, int: number) }
      }
    }
  }
}

extension StoredType.Column {
  static let identifier = StoredType.Column(source: .identifier, format: .text)
  static func text(_ sql: SQLFragment<LoaderParameters>) -> Self { Self(source: .sql(sql), format: .text) }
  static func integer(_ sql: SQLFragment<LoaderParameters>) -> Self { Self(source: .sql(sql), format: .integer) }
  static func boolean(_ sql: SQLFragment<LoaderParameters>) -> Self { Self(source: .sql(sql), format: .boolean) }
  static func dateTime(_ sql: SQLFragment<LoaderParameters>) -> Self { Self(source: .sql(sql), format: .dateTime) }
  static func key(_ sql: SQLFragment<LoaderParameters>) -> Self { Self(source: .sql(sql), format: .key) }
  static func bytes(_ sql: SQLFragment<LoaderParameters>) -> Self { Self(source: .bytes(sql), format: .key) }
  static func enumeration<Value: StoredEnumeration>(_ sql: SQLFragment<LoaderParameters>, _: Value.Type) -> Self {
    Self(source: .sql(sql), format: .enumeration(Value.allCases.map(\.rawValue)))
  }
}

/// The columns of a stored type. The raw value of a case is the index of its column.
protocol StoredColumns: RawRepresentable<Int>, CaseIterable, Sendable where AllCases == [Self] {
  var column: StoredType.Column { get }
}
