import CSQLite

/// The transactions of readers.
extension Connection {
  /// False once the transaction has ended, including when SQLite ended it: after some errors SQLite rolls back the
  /// entire transaction (https://sqlite.org/lang_transaction.html#response_to_errors_within_a_transaction).
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Begins the reading of a request.
  ///
  /// - Parameters:
  ///   - steps: the budget of its statements.
  ///   - isKept: whether it reads in the transaction of a request before.
  func beginRead(steps: Int, isKept: Bool) throws(DatabaseError) {
    budget.allow(steps)
    if !isKept { try execute(.begin) }
  }

  /// Ends the reading of a request.
  ///
  /// - Parameter keeps: whether the transaction can go on, so that the next request has the same snapshot.
  /// - Returns: whether it goes on.
  func endRead(keepingSnapshot keeps: Bool) -> Bool {
    // After an error SQLite may have ended the transaction.
    guard keeps, !budget.isUsedUp, isInTransaction else {
      endRead()
      return false
    }
    assert(!hasRunningStatement, "a statement was left before its last row without finish()")
    budget.allowAll()
    return true
  }

  /// Ends a read transaction and releases its snapshot.
  func endRead() {
    budget.allowAll()
    // A read transaction has nothing to lose: if COMMIT fails, the next line ends it.
    try? execute(.commit)
    if isInTransaction { try? execute(.rollback) }
  }

  /// Whether a statement has further rows to return. For assertions of readers: the methods of `Statement` finish it,
  /// but writes to a full-text index leave some of its own running.
  var hasRunningStatement: Bool {
    var next = sqlite3_next_stmt(handle, nil)
    while let statement = next, sqlite3_stmt_busy(statement) == 0 { next = sqlite3_next_stmt(handle, statement) }
    return next != nil
  }
}
