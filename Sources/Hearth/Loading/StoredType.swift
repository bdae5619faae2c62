import GraphQL
import Storage

/// An object type whose objects are rows of a table: which expressions of SQL its columns are.
struct StoredType: Sendable {
  struct Column: Sendable {
    enum Source: Sendable {
      /// The id that clients see, made of the row's key.
      case identifier
      /// An expression of SQL.
      case sql(SQLFragment<LoaderParameters>)
      /// An expression of SQL whose bytes are for the resolver of a field, and never written themselves.
      case bytes(SQLFragment<LoaderParameters>)
    }
    let source: Source
    let format: ColumnFormat
  }

  /// The expression of SQL for a row's key.
  let key: SQLFragment<LoaderParameters>
  let columns: [Column]
  var formats: [ColumnFormat] { columns.map(\.format) }

  init<Columns: StoredColumns>(key: SQLFragment<LoaderParameters>, _: Columns.Type) {
    self.key = key
    columns = Columns.allCases.map(\.column)
  }
}

/// The columns of a stored type that a plan reads: what a statement selects for them, and how its rows are taken.
struct Selection: Sendable {
  private enum Taking: Sendable {
    case identifier
    case text(Int)
    case bytes(Int)
    case number(Int)
  }

  /// For the SELECT list: the key first.
  let list: SQLFragment<LoaderParameters>
  private let takings: [(column: Int, taking: Taking)]

  /// `wanted` has a bit for each column.
  init(_ wanted: UInt64, of type: StoredType) {
    var list = type.key
    var count = 1
    func append(_ expression: SQLFragment<LoaderParameters>) -> Int {
      list += ", \(expression)"
      defer { count += 1 }
      return count
    }
    var takings: [(Int, Taking)] = []
    for (place, column) in type.columns.enumerated() where wanted & 1 << UInt64(place) != 0 {
      switch column.source {
      case .identifier: takings.append((place, .identifier))
      case .sql(let expression):
        let offset = append(expression)
        takings.append((place, column.format == .text ? .text(offset) : .number(offset)))
      case .bytes(let expression): takings.append((place, .bytes(append(expression))))
      }
    }
    self.list = list
    self.takings = takings
  }

  /// Takes a row whose select list begins at `first` into the request, unless it is there already; gives its place.
  @inline(__always)
  func take(_ row: Row, from first: Int, into rows: inout RowLoading, _ cipher: IdentifierCipher) -> Int {
    let key = row.int64(first)
    let (place, isNew) = rows.row(of: key)
    guard isNew else { return place }
    // By place: walking the array itself would count a reference to it for every row.
    for index in takings.indices {
      let column = takings[index].column
      switch takings[index].taking {
      case .identifier:
        cipher.withText(of: GlobalID(rawValue: key)) { rows.set(place, column: column, text: $0) }
      case .text(let offset):
        let text = row.text(first + offset)
        if text.baseAddress != nil { rows.set(place, column: column, text: text) }
      case .bytes(let offset): rows.set(place, column: column, text: row.blob(first + offset))
      case .number(let offset):
        if !row.isNull(first + offset) { rows.set(place, column: column, int: row.int64(first + offset)) }
      }
    }
    return place
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

/// The columns of a stored type, by name; a column's place is its raw value.
protocol StoredColumns: RawRepresentable<Int>, CaseIterable, Sendable where AllCases == [Self] {
  var column: StoredType.Column { get }
}
