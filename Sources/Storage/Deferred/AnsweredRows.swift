import PostgreSQL

/// The rows with which a deferred statement was answered.
enum AnsweredRows {
  case kept(KeptRows)
  case server(ResultRows)

  /// Throws `misuse` if a column has a type that `Row` does not read, such as `numeric`: its values would be read as 0.
  init(_ rows: ResultRows, of sql: StatementText) throws(DatabaseError) {
    if let column = rows.unreadableColumn {
      throw DatabaseError(.misuse, message: "The type of column \(column) must be cast.", sql: sql.postgreSQLText)
    }
    self = .server(rows)
  }

  var count: Int {
    switch self {
    case .kept(let rows): rows.count
    case .server(let rows): rows.count
    }
  }
}

/// The rows that a statement reads, without retaining them: a cell would cost as much again. Their owner keeps them as
/// long as they are read.
///
/// Rows and columns are numbered from 0. The accessors are those of `Row`. Texts and blobs are valid as long as the
/// rows.
struct ReadRows {
  private let kept: Unmanaged<KeptRows>?
  private let server: Unmanaged<ResultRows>?
  let count: Int

  init(_ rows: AnsweredRows) {
    switch rows {
    case .kept(let rows): (kept, server) = (.passUnretained(rows), nil)
    case .server(let rows): (kept, server) = (nil, .passUnretained(rows))
    }
    count = rows.count
  }

  func isNull(_ row: Int, _ column: Int) -> Bool {
    if let server { return server._withUnsafeGuaranteedRef { $0.isNull(row, column) } }
    return kept?._withUnsafeGuaranteedRef { $0.isNull(row, column) } ?? true
  }

  func int64(_ row: Int, _ column: Int) -> Int64 {
    if let server { return server._withUnsafeGuaranteedRef { $0.int64(row, column) } }
    return kept?._withUnsafeGuaranteedRef { $0.int64(row, column) } ?? 0
  }

  func double(_ row: Int, _ column: Int) -> Double {
    if let server { return server._withUnsafeGuaranteedRef { $0.double(row, column) } }
    return kept?._withUnsafeGuaranteedRef { $0.double(row, column) } ?? 0
  }

  func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer {
    let none = UnsafeRawBufferPointer(start: nil, count: 0)
    if let server { return server._withUnsafeGuaranteedRef { $0.value(row, column) } ?? none }
    return kept?._withUnsafeGuaranteedRef { $0.bytes(row, column) } ?? none
  }
}

/// Rows that were copied from SQLite.
///
/// A column is read as the type of its value. SQLite would convert a value of another type, other engines would not.
final class KeptRows {
  private enum Value {
    case null
    case int64(Int64)
    case double(Double)
    case bytes(Range<Int>)
  }

  private var columns = 0
  private(set) var count = 0
  private var values: [Value] = []
  /// The bytes of all texts and blobs while rows are added.
  private var gathered: [UInt8] = []
  /// The same once all rows have been added. Never empty, so that an empty text has an address and differs from NULL.
  private var content = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  deinit { content.deallocate() }

  /// Executes a statement and keeps its rows.
  init(of statement: Statement) throws(DatabaseError) {
    try statement.forEachRow { row in add(row) }
    content = .allocate(byteCount: max(1, gathered.count), alignment: 1)
    content.copyBytes(from: gathered)
    gathered = []
  }

  private func add(_ row: Row) {
    columns = row.columnCount
    count += 1
    for column in 0..<columns {
      switch row.type(of: column) {
      case .null: values.append(.null)
      case .integer: values.append(.int64(row.int64(column)))
      case .float: values.append(.double(row.double(column)))
      case .text: add(row.text(column))
      case .blob: add(row.blob(column))
      }
    }
  }

  private func add(_ bytes: UnsafeRawBufferPointer) {
    values.append(.bytes(gathered.count..<gathered.count + bytes.count))
    gathered.append(contentsOf: bytes)
  }

  private func value(_ row: Int, _ column: Int) -> Value {
    precondition(row >= 0 && row < count && column >= 0 && column < columns, "The row has no column \(column).")
    return values[row * columns + column]
  }

  func isNull(_ row: Int, _ column: Int) -> Bool {
    if case .null = value(row, column) { true } else { false }
  }

  func int64(_ row: Int, _ column: Int) -> Int64 {
    switch value(row, column) {
    case .null: 0
    case .int64(let value): value
    case .double, .bytes: preconditionFailure("Column \(column) is no integer.")
    }
  }

  func double(_ row: Int, _ column: Int) -> Double {
    switch value(row, column) {
    case .null: 0
    case .double(let value): value
    case .int64, .bytes: preconditionFailure("Column \(column) is no floating-point number.")
    }
  }

  func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer {
    switch value(row, column) {
    case .null: UnsafeRawBufferPointer(start: nil, count: 0)
    case .bytes(let range): UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(content)[range])
    case .int64, .double: preconditionFailure("Column \(column) is no text and no blob.")
    }
  }
}
