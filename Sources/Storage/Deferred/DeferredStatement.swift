/// What executes the statements of a reader without a connection of its own.
protocol StatementSource: AnyObject {
  /// The rows of the answer; nil before the answer has arrived.
  func rows(of sql: StatementText, _ parameters: ParameterBytes) throws(DatabaseError) -> AnsweredRows?

  /// Executes a statement whose rows are not needed.
  func run(_ sql: StatementText, _ parameters: ParameterBytes) throws(DatabaseError)
}

extension StatementSource {
  func run(_ sql: StatementText, _ parameters: ParameterBytes) throws(DatabaseError) {
    _ = try rows(of: sql, parameters)
  }
}

/// A statement of a reader without a connection of its own: its parameters, and the rows of its answer.
///
/// As long as there is no answer the statement has no rows. Then the reader is waiting, and the caller repeats its work
/// after `Reader.answers()`.
final class DeferredStatement {
  private unowned let source: any StatementSource
  private var sql: StatementText
  private var parameters = ParameterBytes()
  /// Owned by `answer`.
  private var rows: ReadRows?
  private var answer: AnsweredRows?
  private var row = -1

  init(_ sql: StatementText, of source: any StatementSource) {
    self.sql = sql
    self.source = source
  }

  /// Makes this the statement `sql`, without parameters.
  func reuse(for sql: StatementText) {
    finish()
    self.sql = sql
  }

  func bind(_ value: ParameterBytes.Value, at number: Int) { parameters.append(value, at: number) }

  /// The bound parameters, of a statement that is executed elsewhere.
  func takeParameters() -> ParameterBytes {
    defer { finish() }
    return parameters
  }

  func run() throws(DatabaseError) {
    defer { finish() }
    try source.run(sql, parameters)
  }

  func step() throws(DatabaseError) -> Bool {
    if rows == nil, let answer = try source.rows(of: sql, parameters) {
      self.answer = answer
      rows = ReadRows(answer)
    }
    row += 1
    if let rows, row < rows.count { return true }
    finish()
    return false
  }

  func finish() {
    rows = nil
    answer = nil
    row = -1
    parameters.removeAll()
  }

  // MARK: The current row

  func isNull(_ column: Int) -> Bool { rows?.isNull(row, column) ?? true }
  func int64(_ column: Int) -> Int64 { rows?.int64(row, column) ?? 0 }
  func double(_ column: Int) -> Double { rows?.double(row, column) ?? 0 }
  func bytes(_ column: Int) -> UnsafeRawBufferPointer {
    rows?.bytes(row, column) ?? UnsafeRawBufferPointer(start: nil, count: 0)
  }
}
