import PostgreSQL

extension DatabaseError {
  init(_ error: PostgreSQLError) {
    let state = error.sqlState.map { " (SQLSTATE \($0))" } ?? ""
    self.init(Code(error), message: error.message + state, sql: error.sql)
  }
}

extension DatabaseError.Code {
  fileprivate init(_ error: PostgreSQLError) {
    switch error.code {
    case .statement: self.init(sqlState: error.sqlState ?? "")
    case .aborted: self = .transactionLost
    case .connecting, .connectionLost, .timedOut, .protocolViolation: self = .unreachable
    case .overloaded: self = .overloaded
    case .unknownOutcome: self = .unknownOutcome
    case .inUse: self = .inUse
    case .closed: self = .closed
    case .library, .misuse: self = .misuse
    }
  }

  /// https://www.postgresql.org/docs/15/errcodes-appendix.html
  private init(sqlState: String) {
    switch sqlState {
    case "23505": self = .unique
    case "23503": self = .foreignKey
    case "23502": self = .notNull
    case "23514": self = .check
    case _ where sqlState.hasPrefix("23"): self = .constraint
    case "40001", "40P01": self = .busy
    // The disk is full.
    case "53100": self = .full
    // The statement took longer than `statement_timeout`, or waited for a lock longer than a role's `lock_timeout`.
    case "57014", "55P03": self = .tooSlow
    // The server shuts down or starts up, has no memory or no connections left, is read-only, or is a standby.
    case _ where sqlState.hasPrefix("53") || sqlState.hasPrefix("57"): self = .unreachable
    case "25006", "0A000": self = .unreachable
    case _ where sqlState.hasPrefix("58") || sqlState.hasPrefix("XX"): self = .inputOutput
    default: self = .misuse
    }
  }
}
