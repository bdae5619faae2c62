/// The transaction that is passed to the body of a write. Valid only while the body runs, on the thread of its
/// connection.
///
/// The transaction is SERIALIZABLE: its outcome is that of the committed writes one after the other. What the body has
/// read is only certain once the transaction is committed.
package final class ServerTransaction {
  private let connection: BlockingConnection
  /// The statements that are sent with the next one whose rows are needed, or with COMMIT.
  private var waiting = Batch()
  private(set) var whenCommitted: [() -> Void] = []
  /// Receive the rows of statements in `waiting`, by their index.
  private var awaited: [(index: Int, rows: AwaitedRows)] = []
  /// The error of a statement. Everything that follows fails with it, even if the body goes on.
  private(set) var failure: PostgreSQLError?
  /// The last statement of `run`: its index in `waiting`, or the number of rows that it changed.
  private var lastRun: (index: Int?, changedRows: Int) = (nil, 0)
  /// Whether COMMIT was sent: if the connection is lost after that, the outcome is in doubt.
  private(set) var isCommitting = false
  /// The numbers for keys: the current block, and the rows of the next ones, which may not have been sent yet.
  private var block: NumberBlock?
  private var nextBlocks: [AwaitedRows] = []

  /// Begins a transaction, together with its first statement.
  ///
  /// - Parameter takesNumbers: whether the transaction takes a block of numbers with it.
  init(on connection: BlockingConnection, token: CommitToken, takesNumbers: Bool) {
    self.connection = connection
    waiting.append(.begin)
    waiting.append(.insertToken, token.parameters)
    if takesNumbers { nextBlocks = [rowsSentLater(of: .takeNumbers)] }
  }

  /// Executes a statement and returns its rows: a round trip.
  package func rows(
    _ statement: ServerStatement,
    _ parameters: ParameterBuffer = ParameterBuffer()
  ) throws(PostgreSQLError) -> ResultRows {
    let index = waiting.append(statement, parameters)
    return try flush()[index]
  }

  /// Executes a statement whose rows are not needed. It is sent with a later one, which also reports its error.
  package func run(_ statement: ServerStatement, _ parameters: ParameterBuffer = ParameterBuffer()) {
    lastRun.index = waiting.append(statement, parameters)
  }

  /// The same, with its rows: `body` receives them once the transaction is committed, like an action of `afterCommit`.
  /// It receives nil if the connection was lost before they came.
  package func run(
    _ statement: ServerStatement,
    _ parameters: ParameterBuffer = ParameterBuffer(),
    afterCommit body: @escaping (ResultRows?) -> Void
  ) {
    let rows = rowsSentLater(of: statement, parameters)
    afterCommit { body(rows.value) }
  }

  private func rowsSentLater(
    of statement: ServerStatement,
    _ parameters: ParameterBuffer = ParameterBuffer()
  ) -> AwaitedRows {
    let rows = AwaitedRows()
    awaited.append((waiting.append(statement, parameters), rows))
    return rows
  }

  /// The number of rows that the last statement of `run` changed; 0 if the transaction has failed. A round trip, unless
  /// a later statement was one.
  package var changedRows: Int {
    if lastRun.index != nil { _ = try? flush() }
    return failure == nil ? lastRun.changedRows : 0
  }

  /// Runs `action` on this thread once the transaction is committed, before the caller of the write is resumed. The
  /// action does not run if the body throws or the commit fails.
  package func afterCommit(_ action: @escaping () -> Void) { whenCommitted.append(action) }

  /// A number that no other transaction gets, of any process. It is higher than those of transactions that were
  /// committed before this one began. A round trip only before the first statement with rows, and after each block.
  package func nextNumber() throws(PostgreSQLError) -> Int64 {
    while true {
      if let number = block?.next() { return number }
      let rows = nextBlocks.isEmpty ? rowsSentLater(of: .takeNumbers) : nextBlocks.removeFirst()
      if rows.value == nil { _ = try flush() }
      block = rows.value.map(NumberBlock.init)
    }
  }

  /// The same for many numbers, in rising order: at most one round trip.
  package func nextNumbers(_ count: Int) throws(PostgreSQLError) -> [Int64] {
    while (block?.count ?? 0) + nextBlocks.count * NumberBlock.size < count {
      nextBlocks.append(rowsSentLater(of: .takeNumbers))
    }
    var numbers: [Int64] = []
    for _ in 0..<count { numbers.append(try nextNumber()) }
    return numbers
  }

  /// Runs the body of one of the writes that share the transaction. If it throws, its changes are undone, and those of
  /// the others stay. If a statement fails, the whole transaction fails.
  func runPart(_ write: QueuedWrite) -> QueuedWrite.Outcome {
    waiting.append(.savepoint)
    let actions = whenCommitted.count
    let outcome = write.run(self)
    guard failure == nil else { return outcome }
    if outcome.error != nil {
      whenCommitted.removeSubrange(actions...)
      waiting.append(.rollbackToSavepoint)
    }
    waiting.append(.release)
    return outcome
  }

  func commit() throws(PostgreSQLError) {
    if let failure { throw failure }
    let index = waiting.append(.commit)
    isCommitting = true
    // The server answers the COMMIT of a failed transaction with ROLLBACK.
    guard try flush()[index].commandTag == "COMMIT" else {
      throw PostgreSQLError(.aborted, message: "The transaction was rolled back.")
    }
  }

  private func flush() throws(PostgreSQLError) -> [ResultRows] {
    if let failure { throw failure }
    let batch = waiting
    waiting = Batch()
    let run = lastRun.index
    lastRun.index = nil
    let awaited = awaited
    self.awaited = []
    do throws(PostgreSQLError) {
      let results = try connection.run(batch)
      if let run { lastRun.changedRows = results[run].changedRows }
      for (index, rows) in awaited { rows.value = results[index] }
      return results
    } catch {
      failure = error
      throw error
    }
  }
}

/// The rows of a statement that was sent later.
private final class AwaitedRows {
  var value: ResultRows?
}
