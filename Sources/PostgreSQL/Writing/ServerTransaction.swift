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
  /// The error of a statement. Everything that follows fails with it, even if the body goes on.
  private(set) var failure: PostgreSQLError?
  /// The last statement of `run`: its index in `waiting`, or the number of rows that it changed.
  private var lastRun: (index: Int?, changedRows: Int) = (nil, 0)
  /// Whether COMMIT was sent: if the connection is lost after that, the outcome is in doubt.
  private(set) var isCommitting = false

  /// Begins a transaction, together with its first statement.
  init(on connection: BlockingConnection, token: CommitToken) {
    self.connection = connection
    waiting.append("BEGIN ISOLATION LEVEL SERIALIZABLE")
    waiting.append(CommitToken.insert, token.parameters)
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

  /// The number of rows that the last statement of `run` changed; 0 if the transaction has failed. A round trip, unless
  /// a later statement was one.
  package var changedRows: Int {
    if lastRun.index != nil { _ = try? flush() }
    return failure == nil ? lastRun.changedRows : 0
  }

  /// Runs `action` on this thread once the transaction is committed, before the caller of the write is resumed. The
  /// action does not run if the body throws or the commit fails.
  package func afterCommit(_ action: @escaping () -> Void) { whenCommitted.append(action) }

  func commit() throws(PostgreSQLError) {
    if let failure { throw failure }
    let index = waiting.append("COMMIT")
    isCommitting = true
    // The server answers the COMMIT of a failed transaction with ROLLBACK.
    guard try flush()[index].commandTag == "COMMIT" else {
      throw PostgreSQLError(.aborted, "The transaction was rolled back.")
    }
  }

  private func flush() throws(PostgreSQLError) -> [ResultRows] {
    if let failure { throw failure }
    let batch = waiting
    waiting = Batch()
    let run = lastRun.index
    lastRun.index = nil
    do throws(PostgreSQLError) {
      let results = try connection.run(batch)
      if let run { lastRun.changedRows = results[run].changedRows }
      return results
    } catch {
      failure = error
      throw error
    }
  }
}
