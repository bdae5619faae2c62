import CSQLite
import Glibc

/// An error of the database. Callers decide by `code`; the rest is for the log and is never sent to a client.
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
    /// The path no longer refers to the open file.
    case moved
    /// The write-ahead log is missing or damaged, although the last process had not emptied it into the database.
    case logMissing
    /// The database file is missing or empty, although it was in use.
    case databaseMissing
    /// The write-ahead log beside the file is of another file.
    case foreignLog
    /// The transaction has used all of its steps.
    case budgetExceeded
    /// The database server ended a statement because it took too long, or the statements of a request took too long
    /// together: because of a lock or a slow disk, or because they read too much. Nothing was changed.
    case tooSlow
    /// SQLite rolled back the transaction while the body of the write was still running.
    case transactionLost
    /// The queue of writes is full: try again later.
    case overloaded
    /// The database is closed.
    case closed
    /// The file is a database of another program.
    case foreignFile
    /// The file was migrated by a later version of this program.
    case newerDatabase
    /// The text of a migration has changed since it ran on this file, or the numbers are not consecutive from 1.
    case migrationChanged
    /// The file that a backup or a copy of the data would make exists already, or another process is making it. It is
    /// never replaced.
    case destinationExists
    /// That file cannot be written.
    case destinationUnusable
    /// Reading, writing or opening the file failed.
    case inputOutput
    /// The database server does not answer, or the connection to it was lost. Nothing was changed.
    case unreachable
    /// The connection to the database server was lost during a commit, and no server answers that knows its outcome.
    case unknownOutcome
    /// Another process uses the database alone, or must end before this one can use it.
    case inUse
    /// A programming error: a statement that does not compile, a parameter that does not exist.
    case misuse
  }

  package let code: Code
  /// SQLite's extended result code (https://sqlite.org/rescode.html); 0 for errors that SQLite did not report.
  package let extendedCode: Int32
  package let message: String
  /// The text of the statement, with its parameters but without their values.
  package let sql: String?

  package init(_ code: Code, message: String, extendedCode: Int32 = 0, sql: String? = nil) {
    self.code = code
    self.message = message
    self.extendedCode = extendedCode
    self.sql = sql
  }
}

extension DatabaseError {
  /// The error for a result code that a call on `database` has just returned.
  init(_ result: Int32, in database: OpaquePointer?, sql: String? = nil) {
    let primary = result & 0xFF
    let message =
      database.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) } ?? String(cString: sqlite3_errstr(result))
    self.init(
      Code(primary: primary, extended: result),
      message: message + Self.reason(primary, in: database),
      extendedCode: result,
      sql: sql
    )
  }

  /// Why a file cannot be opened, which SQLite's own message does not state.
  private static func reason(_ primary: Int32, in database: OpaquePointer?) -> String {
    guard primary == SQLITE_CANTOPEN, let database else { return "" }
    let number = sqlite3_system_errno(database)
    return number == 0 ? "" : ": \(String(cString: strerror(number)))"
  }

  /// The error for a result code that a call on `statement` has just returned.
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
    // sqlite3_interrupt is never called: only the progress handler interrupts statements.
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
