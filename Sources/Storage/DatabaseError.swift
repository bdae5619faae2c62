import CSQLite

/// What went wrong in the database: `code` to decide on, the rest for the log. Never shown to a client as it is.
@usableFromInline package struct DatabaseError: Error, Sendable, Equatable {
  package enum Code: String, Sendable {
    /// Another process held the write lock for longer than the busy timeout.
    case busy
    /// A UNIQUE or PRIMARY KEY constraint.
    case unique
    case foreignKey
    case notNull
    case check
    /// Any other constraint, and a trigger's RAISE.
    case constraint
    /// No room on the disk.
    case full
    /// The file is damaged or is not a database.
    case corrupt
    /// The open file is no longer the one that its name leads to.
    case moved
    /// The write-ahead log is missing that the last process did not empty into the database.
    case logMissing
    /// The statement ran for more steps than its transaction may.
    case budgetExceeded
    /// The transaction was rolled back beneath a body that went on.
    case transactionLost
    /// The queue of writes is as long as it may be: try again later.
    case overloaded
    /// The database is shut.
    case closed
    /// The file was migrated by a later version of this program.
    case newerDatabase
    /// A migration's text is not what it was when it ran on this file, or its numbers do not rise from 1.
    case migrationChanged
    /// A backup is never written over a file that is there.
    case destinationExists
    /// Reading, writing or opening the file failed.
    case inputOutput
    /// A fault of ours: a statement that does not compile, a parameter that is not there.
    case misuse
  }

  package let code: Code
  /// SQLite's extended result code (https://sqlite.org/rescode.html), 0 where the error is ours.
  package let extendedCode: Int32
  package let message: String
  /// The statement's text, with its parameters and never their values.
  package let sql: String?

  package init(_ code: Code, _ message: String, extendedCode: Int32 = 0, sql: String? = nil) {
    self.code = code
    self.message = message
    self.extendedCode = extendedCode
    self.sql = sql
  }
}

extension DatabaseError {
  /// What `database` has to say about the `result` that a call on it just returned.
  init(_ result: Int32, in database: OpaquePointer?, sql: String? = nil) {
    let primary = result & 0xFF
    let message =
      database.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) } ?? String(cString: sqlite3_errstr(result))
    self.init(Code(primary: primary, extended: result), message, extendedCode: result, sql: sql)
  }

  /// What the connection of `statement` has to say about the `result` that a call on it just returned.
  @usableFromInline
  init(_ result: Int32, of statement: OpaquePointer) {
    self.init(
      result,
      in: sqlite3_db_handle(statement),
      sql: sqlite3_sql(statement).map { String(cString: $0) }
    )
  }
}

extension DatabaseError.Code {
  init(primary: Int32, extended: Int32) {
    switch primary {
    case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
    case SQLITE_CONSTRAINT:
      // The extended codes are macros over other macros, which Swift does not import: 19 | n << 8.
      switch extended >> 8 {
      case 1: self = .check
      case 3: self = .foreignKey
      case 5: self = .notNull
      case 6, 8, 10: self = .unique
      default: self = .constraint
      }
    case SQLITE_FULL: self = .full
    case SQLITE_CORRUPT, SQLITE_NOTADB: self = .corrupt
    // Nobody calls sqlite3_interrupt: an interrupted statement is one that the progress handler stopped.
    case SQLITE_INTERRUPT: self = .budgetExceeded
    case SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM, SQLITE_NOMEM: self = .inputOutput
    default: self = .misuse
    }
  }
}

extension DatabaseError: CustomStringConvertible {
  @usableFromInline package var description: String {
    let result = extendedCode == 0 ? "" : " (SQLite \(extendedCode))"
    return "\(code.rawValue)\(result): \(message)" + (sql.map { " in: \($0)" } ?? "")
  }
}
