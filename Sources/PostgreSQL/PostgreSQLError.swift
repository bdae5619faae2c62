/// An error of the database server, of the connection to it, or of the client library.
package struct PostgreSQLError: Error, Equatable, Sendable {
  package enum Code: Equatable, Sendable {
    /// The server rejected a statement. `sqlState` states why.
    case statement
    /// A statement before it in the same batch was rejected, so that this one did not run.
    case aborted
    /// The connection could not be opened. `sqlState` states why if the server answered.
    case connecting
    /// The connection was lost. Whether its last statements took effect is unknown.
    case connectionLost
    /// The server did not answer in time. The connection is closed, as after `connectionLost`.
    case timedOut
    /// The peer does not follow PostgreSQL's protocol. The connection is closed.
    case protocolViolation
    /// libpq is missing or too old.
    case library
    /// No connection became free in time, or a write met conflicts for too long.
    case overloaded
    /// The connection was lost during a commit, and its outcome could not be found out.
    case unknownOutcome
    /// Another process holds the lock of the database alone (`ServerWriterOptions.sharedLock`).
    case inUse
    /// The connection or the writer was closed by its owner.
    case closed
    /// A programming error, such as too many parameters.
    case misuse
  }

  package let code: Code
  /// One sentence for the log.
  package let message: String
  /// The five characters of the SQLSTATE (https://www.postgresql.org/docs/15/errcodes-appendix.html), where the server
  /// sent one.
  package let sqlState: String?
  /// The name of the violated constraint.
  package let constraint: String?
  /// The text of the statement, with its parameters but without their values.
  package let sql: String?

  package init(
    _ code: Code,
    message: String,
    sqlState: String? = nil,
    constraint: String? = nil,
    sql: String? = nil
  ) {
    self.code = code
    self.message = message
    self.sqlState = sqlState
    self.constraint = constraint
    self.sql = sql
  }

  /// Whether the connection can no longer be used.
  package var isFatal: Bool {
    switch code {
    case .connecting, .connectionLost, .timedOut, .protocolViolation, .library: true
    case .statement, .aborted, .overloaded, .unknownOutcome, .inUse, .closed, .misuse: false
    }
  }
}

extension PostgreSQLError: CustomStringConvertible {
  package var description: String {
    let state = sqlState.map { " (SQLSTATE \($0))" } ?? ""
    return "\(code)\(state): \(message)" + (sql.map { " in: \($0)" } ?? "")
  }
}
