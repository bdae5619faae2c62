import CSQLite

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// One connection to the file, with the statements prepared on it. Opened without SQLite's mutexes: it belongs to one
/// thread at a time, and handing it to another takes care that the first has done with it.
@usableFromInline package final class Connection {
  /// Open until deinit.
  @usableFromInline let handle: OpaquePointer
  /// By the slot of `StatementText`. Unchecked, because every statement of every request passes here: the connection is
  /// confined to a thread, and nothing calls back while the array is touched.
  @exclusivity(unchecked) @usableFromInline var statements: [OpaquePointer?] = []
  let budget: StepBudget
  /// Of the database that the connection reads; nil for the writer's, and for one to a file that others may be writing.
  private let health: DatabaseHealth?

  enum Mode {
    /// Reads and writes; makes the file when there is none.
    case write
    /// May not change anything. Not SQLITE_OPEN_READONLY, since such a connection could not make the log's index.
    case read
  }

  /// `cacheKibibytes` is memory for pages, which SQLite takes as it needs it. No memory-mapped reads: a commit makes
  /// every other connection let its mapping go, so that 768 rows after one took 440 µs with it and 350 without, and as
  /// long otherwise.
  init(
    path: String,
    mode: Mode,
    busyTimeout: Int32,
    cacheKibibytes: Int = 16_384,
    fileSystem: String? = nil,
    health: DatabaseHealth? = nil,
    turn: LoopTurn? = nil
  ) throws(DatabaseError) {
    Connection.configureLibrary()
    self.health = health
    if mode == .write { Self.makeFile(at: path) }
    var opened: OpaquePointer?
    let flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | (mode == .write ? SQLITE_OPEN_CREATE : 0)
    let result = sqlite3_open_v2(path, &opened, flags, fileSystem)
    guard result == SQLITE_OK, let opened else {
      let error = DatabaseError(result, in: opened)
      sqlite3_close_v2(opened)
      throw DatabaseError(error.code, "Cannot open \(path): \(error.message)", extendedCode: result)
    }
    handle = opened
    // Before anything else: two connections opening at once fail at the first pragma without it.
    sqlite3_busy_timeout(handle, busyTimeout)
    budget = StepBudget(of: handle, turn: turn)
    try configure(mode, busyTimeout: busyTimeout)
    try execute("PRAGMA temp_store = MEMORY; PRAGMA cache_size = \(-cacheKibibytes)")
    try KeysTable.register(on: handle)
  }

  deinit {
    for statement in statements { sqlite3_finalize(statement) }
    if let health, health.isLogEmptied { _ = csqlite_db_config_flag(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0) }
    sqlite3_close_v2(handle)
  }

  /// Once a process, before its first connection: SQLite keeps no account of its memory, since that is a lock around
  /// every allocation that all threads share.
  private static func configureLibrary() { _ = configuredLibrary }
  private static let configuredLibrary = csqlite_config_memory_status(0)

  private func configure(_ mode: Mode, busyTimeout: Int32) throws(DatabaseError) {
    // A misspelt "column" is an error and not a string.
    _ = csqlite_db_config_flag(handle, SQLITE_DBCONFIG_DQS_DDL, 0)
    _ = csqlite_db_config_flag(handle, SQLITE_DBCONFIG_DQS_DML, 0)
    switch mode {
    case .write:
      try enterWriteAheadLog(busyTimeout: busyTimeout)
      // FULL: the log reaches the disk before a commit returns (https://sqlite.org/pragma.html#pragma_synchronous).
      try execute("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA journal_size_limit = 67108864")
    case .read:
      // Who only looks leaves the log as it is: emptying it is the writer's.
      keepsLogWhenClosed()
      try execute("PRAGMA query_only = ON")
    }
  }

  /// Otherwise the last connection to a file copies the log into it and deletes the log when it is closed.
  func keepsLogWhenClosed() { _ = csqlite_db_config_flag(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1) }

  /// Makes an empty file that only its owner may read, where there is none. SQLite would make it as the umask says, and
  /// gives its log the mode of the database. What fails here fails again when SQLite opens the file, and is reported
  /// then.
  static func makeFile(at path: String) {
    // Not opened when it is there: closing it would end this process's locks on it (fcntl(2)).
    guard access(path, F_OK) != 0 else { return }
    let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if file >= 0 { close(file) }
  }

  /// A file that is turned to write-ahead logging by two processes at once gives one of them BUSY without waiting, as
  /// both hold a shared lock and want the other's gone. It passes within milliseconds.
  private func enterWriteAheadLog(busyTimeout: Int32) throws(DatabaseError) {
    var waited: Int32 = 0
    while true {
      do throws(DatabaseError) {
        let mode = try text(of: "PRAGMA journal_mode = WAL")
        guard mode == "wal" else {
          throw DatabaseError(
            .inputOutput,
            "The file system does not allow write-ahead logging (it stays \(mode ?? ""))."
          )
        }
        return
      } catch {
        guard error.code == .busy, waited < busyTimeout else { throw error }
        waited += sqlite3_sleep(5)
      }
    }
  }
}

extension Connection {
  /// The prepared form of `sql`, made at its first use.
  @inlinable @inline(__always)
  package func statement(_ sql: StatementText) throws(DatabaseError) -> Statement {
    if sql.slot < statements.count, let prepared = statements[sql.slot] {
      assert(sqlite3_stmt_busy(prepared) == 0, "asked for again while its rows are being walked: \(sql.text)")
      return Statement(prepared)
    }
    return try prepare(sql)
  }

  @usableFromInline @inline(never)
  package func prepare(_ sql: StatementText) throws(DatabaseError) -> Statement {
    guard sql.slot < StatementText.limit else {
      throw DatabaseError(
        .misuse,
        "More than \(StatementText.limit) statements: is SQL made for each request?",
        sql: sql.text
      )
    }
    let prepared = try prepare(sql.text)
    if statements.count <= sql.slot {
      statements.append(contentsOf: repeatElement(nil, count: sql.slot + 1 - statements.count))
    }
    statements[sql.slot] = prepared
    return Statement(prepared)
  }

  /// Prepares one statement, which the caller finalizes.
  private func prepare(_ text: String) throws(DatabaseError) -> OpaquePointer {
    var prepared: OpaquePointer?
    var text = text
    let (result, hasMore) = text.withUTF8 { bytes -> (Int32, Bool) in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        var rest: UnsafePointer<CChar>?
        let result = sqlite3_prepare_v3(
          handle,
          characters.baseAddress,
          Int32(clamping: characters.count),
          UInt32(SQLITE_PREPARE_PERSISTENT),
          &prepared,
          &rest
        )
        guard let start = characters.baseAddress, let rest else { return (result, false) }
        return (result, characters[(rest - start)...].contains { $0 > 0x20 && $0 != 0x3B })
      }
    }
    guard result == SQLITE_OK else { throw DatabaseError(result, in: handle, sql: text) }
    guard let prepared, !hasMore else {
      sqlite3_finalize(prepared)
      throw DatabaseError(.misuse, "Expected one statement.", sql: text)
    }
    return prepared
  }

  /// Runs statements that take no parameters and whose rows are of no interest.
  func execute(_ text: String) throws(DatabaseError) {
    let result = sqlite3_exec(handle, text, nil, nil, nil)
    if result != SQLITE_OK { throw DatabaseError(result, in: handle, sql: text) }
  }

  func execute(_ sql: StatementText) throws(DatabaseError) { try statement(sql).run() }

  /// Rows of a statement that is not worth keeping, such as a pragma.
  func forEachRow(of text: String, _ body: (Row) throws(DatabaseError) -> Void) throws(DatabaseError) {
    let prepared = try prepare(text)
    defer { sqlite3_finalize(prepared) }
    try Statement(prepared).forEachRow(body)
  }

  func text(of text: String) throws(DatabaseError) -> String? {
    var found: String?
    try forEachRow(of: text) { row in found = row.optionalString(0) }
    return found
  }

  func int64(of text: String) throws(DatabaseError) -> Int64 {
    var found: Int64 = 0
    try forEachRow(of: text) { row in found = row.int64(0) }
    return found
  }

  /// Writes the first page as it is: a header field is set to what it was.
  func touch() throws(DatabaseError) {
    try execute("PRAGMA user_version = \(try int64(of: "PRAGMA user_version"))")
  }

  /// False as soon as the transaction is over, also when SQLite ended it: after some errors it rolls back all of it
  /// (https://sqlite.org/lang_transaction.html#response_to_errors_within_a_transaction).
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Finishes the statements that were left in the middle of their rows.
  func finishRunningStatements() {
    var next = sqlite3_next_stmt(handle, nil)
    while let statement = next {
      if sqlite3_stmt_busy(statement) != 0 { Statement(statement).finish() }
      next = sqlite3_next_stmt(handle, statement)
    }
  }
}
