/// The limits of a database on a PostgreSQL server, beside those of every database.
package struct PostgreSQLLimits: Sendable {
  /// The time in which the server must answer a statement of a request. It is longer than the 100 ms of
  /// `DatabaseLimits.readSteps` because other clients of the server use its processors too. Statements also exceed it
  /// because of a lock or a slow disk (`DatabaseError.Code.tooSlow`).
  package var readTime = Duration.seconds(1)
  /// The time that all statements of a request can take, and after which a server that does not answer
  /// the statements of a request is given up.
  package var transactionTime: Duration { readTime * 5 }
  /// The longest time that a request waits for a connection to the server while others use all of them, to
  /// read or to write.
  package var connectionTimeout = Duration.seconds(2)
  /// Rows that the server may return in one read transaction. The counterpart of `DatabaseLimits.readSteps`.
  package var rows = 200_000
  /// Connections to the server with which the requests of one event loop read.
  package var connectionsPerLoop = 4
  /// The time in which a write replaces a lost connection to the server, beyond the time for which it may
  /// wait and be repeated.
  package var recoveryTime = Duration.seconds(10)
  /// The time in which the server must answer a statement of a write, or of a reader without a time limit.
  package var statementTime = Duration.seconds(5)
  /// The time after which a server that does not answer the statements of a write is given up.
  package var batchTime: Duration { statementTime * 2 }
  /// The largest group of writes that shares a transaction: fewer than with SQLite, because the server remembers the
  /// state of 64 parts of a transaction without looking it up.
  package var groupedWrites = 48
}
