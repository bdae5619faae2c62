/// Answers deferred statements by SQLite, as an engine in another process would: together, and not before the caller
/// has let other work of its loop run. It exercises the passes of readers without such an engine.
final class SQLiteAnswers: StatementAnswering {
  private let connection: Connection
  private let steps: Int
  private var isReading = false

  /// - Parameter steps: the budget of a transaction.
  init(on connection: Connection, steps: Int) {
    self.connection = connection
    self.steps = steps
  }

  func answer(_ statements: [AskedStatement], canBeginAgain _: Bool) async -> Bool {
    await Task.yield()
    connection.budget.restartClock()
    for statement in statements {
      do throws(DatabaseError) {
        try begin()
        let kept =
          statement.isSearch
          ? try connection.budget.searching { () throws(DatabaseError) in try rows(of: statement) }
          : try rows(of: statement)
        statement.answer = .success(.kept(kept))
      } catch {
        statement.answer = .failure(error)
      }
    }
    return true
  }

  private func begin() throws(DatabaseError) {
    guard !isReading else { return }
    connection.budget.allow(steps)
    try connection.execute(.begin)
    isReading = true
  }

  private func rows(of asked: AskedStatement) throws(DatabaseError) -> KeptRows {
    let statement = try connection.statement(asked.sql)
    try asked.parameters.forEach { number, value throws(DatabaseError) in
      switch value {
      case .null: try statement.bindNull(number)
      case .int64(let value): try statement.bind(value, at: number)
      case .double(let value): try statement.bind(value, at: number)
      case .text(let text): try statement.bind(text: text, at: number)
      case .blob(let blob): try statement.bind(blob: blob, at: number)
      case .keys(let keys): try statement.bind(keys: ParameterBytes.keys(in: keys), at: number)
      }
    }
    return try KeptRows(of: statement)
  }

  var isExhausted: Bool { connection.budget.isExhausted }

  func endRead() {
    guard isReading else { return }
    isReading = false
    connection.endRead()
  }
}
