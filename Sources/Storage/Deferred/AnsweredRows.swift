/// The rows with which a deferred statement was answered. Rows and columns are numbered from 0.
///
/// The accessors are those of `Row`. Texts and blobs are valid as long as the object.
protocol AnsweredRows: AnyObject {
  var count: Int { get }
  func isNull(_ row: Int, _ column: Int) -> Bool
  func int64(_ row: Int, _ column: Int) -> Int64
  func double(_ row: Int, _ column: Int) -> Double
  func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer
}

/// Rows that were copied from SQLite.
///
/// A column is read as the type of its value. SQLite would convert a value of another type, other engines would not.
final class KeptRows: AnsweredRows {
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
