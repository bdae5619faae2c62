import PostgreSQL

/// What is left of the limits of one read transaction on a PostgreSQL server.
struct ServerReadBudget {
  private let limits: DatabaseLimits
  private var time: Duration = .zero
  private var rows = 0

  init(_ limits: DatabaseLimits) { self.limits = limits }

  /// A transaction begins.
  mutating func restart() { self = ServerReadBudget(limits) }

  /// Whether the request reads too much. Only its rows tell: statements can take long because of a lock or a slow disk.
  var isExhausted: Bool { rows > limits.postgreSQL.rows }

  /// Counts the results of statements that were sent at `start`.
  mutating func use(_ results: some Sequence<ResultRows>, since start: ContinuousClock.Instant) throws(DatabaseError) {
    time += ContinuousClock.now - start
    for result in results { rows += result.count }
    guard !isExhausted else { throw DatabaseError(.budgetExceeded, message: "The transaction has read too much.") }
    // The server enforces the limit of a statement. The limit of a transaction is measured here, and includes the time
    // for which a busy loop did not read.
    guard time <= limits.postgreSQL.transactionTime else {
      throw DatabaseError(
        .tooSlow,
        message: "The statements of the transaction took longer than \(limits.postgreSQL.transactionTime)."
      )
    }
  }
}
