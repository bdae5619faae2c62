import GraphQL
import Storage

/// An object type whose objects are rows of a table: which columns of SQL its columns are, and how a row is taken.
struct StoredType: Sendable {
  struct Column: Sendable {
    enum Source: Sendable {
      /// The id that clients see, made of the row's key.
      case identifier
      /// An expression of SQL.
      case sql(String)
    }
    let source: Source
    let format: ColumnFormat
  }

  private enum Taking: Sendable {
    case identifier
    case text(Int)
    case number(Int)
  }

  let formats: [ColumnFormat]
  /// For the SELECT list of whatever loads such rows: the key first, then every column.
  let selectList: String
  private let takings: [Taking]

  /// `key` is the expression of SQL for the row's key.
  init<Columns: StoredColumns>(key: String, _: Columns.Type) {
    let columns = Columns.allCases.map(\.column)
    formats = columns.map(\.format)
    var expressions = [key]
    takings = columns.map { column in
      switch column.source {
      case .identifier: return .identifier
      case .sql(let expression):
        expressions.append(expression)
        return column.format == .text ? .text(expressions.count - 1) : .number(expressions.count - 1)
      }
    }
    selectList = expressions.joined(separator: ", ")
  }

  /// Takes a row whose select list begins at `first` into the request, unless it is there already; gives its place.
  @inline(__always)
  func take(_ row: Row, from first: Int, into rows: inout RowLoading, _ cipher: IdentifierCipher) -> Int {
    let key = row.int64(first)
    let (place, isNew) = rows.row(of: key)
    if isNew { fill(place, key, row, first, &rows, cipher) }
    return place
  }

  private func fill(
    _ place: Int,
    _ key: Int64,
    _ row: Row,
    _ first: Int,
    _ rows: inout RowLoading,
    _ cipher: IdentifierCipher
  ) {
    var wanted = rows.columns
    while wanted != 0 {
      let column = wanted.trailingZeroBitCount
      wanted &= wanted &- 1
      switch takings[column] {
      case .identifier:
        cipher.withText(of: GlobalID(rawValue: key)) { rows.set(place, column, text: $0) }
      case .text(let offset):
        let text = row.text(first + offset)
        if text.baseAddress != nil { rows.set(place, column, text: text) }
      case .number(let offset):
        if !row.isNull(first + offset) { rows.set(place, column, int: row.int64(first + offset)) }
      }
    }
  }
}

extension StoredType.Column {
  static let identifier = StoredType.Column(source: .identifier, format: .text)
  static func text(_ sql: String) -> Self { Self(source: .sql(sql), format: .text) }
  static func integer(_ sql: String) -> Self { Self(source: .sql(sql), format: .integer) }
  static func boolean(_ sql: String) -> Self { Self(source: .sql(sql), format: .boolean) }
  static func dateTime(_ sql: String) -> Self { Self(source: .sql(sql), format: .dateTime) }
  static func key(_ sql: String) -> Self { Self(source: .sql(sql), format: .key) }
  static func enumeration<Value: StoredEnumeration>(_ sql: String, _: Value.Type) -> Self {
    Self(source: .sql(sql), format: .enumeration(Value.allCases.map(\.rawValue)))
  }
}

/// An enum of the schema that is stored as the place of its value. Values may be added at the end only.
protocol StoredEnumeration: RawRepresentable<String>, CaseIterable, Sendable where AllCases == [Self] {}

extension StoredEnumeration {
  var stored: Int64 { Int64(Self.allCases.firstIndex { $0.rawValue == rawValue } ?? 0) }

  init?(stored: Int64) {
    guard Self.allCases.indices.contains(Int(stored)) else { return nil }
    self = Self.allCases[Int(stored)]
  }
}

/// The columns of a stored type, by name; a column's place is its raw value.
protocol StoredColumns: RawRepresentable<Int>, CaseIterable, Sendable where AllCases == [Self] {
  var column: StoredType.Column { get }
}
