import PostgreSQL

/// Rows that a PostgreSQL server returned.
final class ServerRows: AnsweredRows {
  private let rows: ResultRows

  /// Throws `misuse` if a column has a type that `Row` does not read, such as `numeric`: its values would be read as 0.
  init(_ rows: ResultRows, of sql: StatementText) throws(DatabaseError) {
    if let column = rows.unreadableColumn {
      throw DatabaseError(.misuse, message: "The type of column \(column) must be cast.", sql: sql.postgreSQLText)
    }
    self.rows = rows
  }

  var count: Int { rows.count }

  func isNull(_ row: Int, _ column: Int) -> Bool { rows.isNull(row, column) }
  func int64(_ row: Int, _ column: Int) -> Int64 { rows.int64(row, column) }
  func double(_ row: Int, _ column: Int) -> Double { rows.double(row, column) }

  func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer {
    rows.value(row, column) ?? UnsafeRawBufferPointer(start: nil, count: 0)
  }
}

extension ParameterBuffer {
  /// The parameters of a statement in the server's format. Those that are not bound are NULL.
  init(_ parameters: ParameterBytes, of statement: ServerStatement) throws(DatabaseError) {
    self.init()
    var buffer = ParameterBuffer()
    try parameters.forEach { number, value throws(DatabaseError) in
      switch value {
      case .null: buffer.appendNull()
      case .int64(let value): buffer.append(value)
      case .double(let value): buffer.append(value)
      case .text(let text): buffer.append(text: text)
      case .blob(let blob): buffer.append(bytes: blob)
      case .keys(let keys): buffer.append(keys)
      }
      buffer.moveLast(to: number)
    }
    buffer.padWithNulls(to: statement.types.count)
    self = buffer
  }
}
