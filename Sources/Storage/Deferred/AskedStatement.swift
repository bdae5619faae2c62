/// A statement that waits for its answer, or has it.
final class AskedStatement {
  let sql: StatementText
  let parameters: ParameterBytes
  /// Whether it is a full-text search: see `Reader.searching`.
  let isSearch: Bool
  /// Nil until the statement is answered. A failed statement is answered by its error.
  var answer: Result<any AnsweredRows, DatabaseError>?

  init(_ sql: StatementText, _ parameters: ParameterBytes, isSearch: Bool) {
    self.sql = sql
    self.parameters = parameters
    self.isSearch = isSearch
  }
}

/// Answers the deferred statements of one reader. All answers until `endRead` are of one snapshot.
protocol StatementAnswering: AnyObject {
  /// Sets the answer of every statement.
  func answer(_ statements: [AskedStatement]) async

  /// Releases the snapshot.
  func endRead()

  /// Whether the snapshot's budget is used up.
  var isExhausted: Bool { get }
}
