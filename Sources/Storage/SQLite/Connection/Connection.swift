import Basics
import CGatheredLog
import CSQLite
import Glibc

/// A connection to the database file, with its prepared statements. It is opened without SQLite's mutexes: it belongs
/// to one thread at a time, and a thread that passes it on must have finished using it.
@usableFromInline package final class Connection {
  /// Open until deinit.
  @usableFromInline let handle: OpaquePointer
  /// A prepared statement and the tables that it uses.
  @usableFromInline struct Prepared {
    @usableFromInline let handle: OpaquePointer
    @usableFromInline let tables: TableSet
    /// The tables of which it reads only partitions.
    @usableFromInline let ofPartitions: PartitionTables
  }

  /// Indexed by `StatementText.slot`. Exclusivity is unchecked because every statement of every request goes through
  /// this array: the connection is confined to a thread, and no callback runs while the array is accessed.
  @exclusivity(unchecked) @usableFromInline var statements: [Prepared?] = []
  @usableFromInline let budget: StepBudget
  @usableFromInline let tableUse: TableUse
  /// Nil unless the times of statements are measured.
  private(set) var trace: StatementTrace?
  var measuresStatements: Bool { trace != nil }
  /// The time for which SQLite waits for locks of other connections.
  let busyTimeout: Duration
  /// The health of the database that the connection reads. Nil for the writer's connection, and for a connection to a
  /// file that another process may be writing.
  private let health: DatabaseHealth?

  enum Mode {
    /// Reads and writes. Creates the file if it does not exist.
    case write
    /// Cannot change anything. SQLITE_OPEN_READONLY is not used, because such a connection cannot create the index of
    /// the write-ahead log.
    case read
  }

  /// `cacheKibibytes` limits the page cache, which SQLite allocates on demand. Memory-mapped reads are off: a commit
  /// makes every other connection unmap the file, so reading 768 rows after a commit took 440 µs with them and 350 µs
  /// without. Otherwise they made no difference.
  init(
    path: String,
    mode: Mode,
    busyTimeout: Duration = DatabaseLimits().busyTimeout,
    cacheKibibytes: Int = 16_384,
    fileSystem: String? = nil,
    health: DatabaseHealth? = nil,
    versions: TableVersions? = nil,
    turn: LoopTurn? = nil,
    recall: SnapshotRecall? = nil
  ) throws(DatabaseError) {
    self.health = health
    self.busyTimeout = busyTimeout
    if mode == .write { Self.makeFile(at: path) }
    var opened: OpaquePointer?
    let immutable = mode == .read ? try ReadOnlyFile.immutableURI(of: path) : nil
    let access = immutable == nil ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
    let flags = access | SQLITE_OPEN_EXRESCODE | (mode == .write ? SQLITE_OPEN_CREATE : 0)
    let fileSystem = mode == .write ? try Self.gatheringLog(over: fileSystem) : fileSystem
    let result = sqlite3_open_v2(immutable ?? path, &opened, flags, fileSystem)
    guard result == SQLITE_OK, let opened else {
      let error = DatabaseError(result, in: opened)
      sqlite3_close_v2(opened)
      throw DatabaseError(error.code, message: "Cannot open \(path): \(error.message)", extendedCode: result)
    }
    handle = opened
    if mode == .write { gathered_log_forget_rollbacks(handle) }
    // Set before the first statement: without a busy timeout, two connections that open at the same time fail at their
    // first pragma.
    sqlite3_busy_timeout(handle, busyTimeout.int32Milliseconds)
    budget = StepBudget(of: handle, turn: turn, recall: recall)
    tableUse = TableUse(of: handle, in: versions, isWriter: mode == .write)
    try configure(mode)
    try execute("PRAGMA temp_store = MEMORY; PRAGMA cache_size = \(-cacheKibibytes)")
    try KeysTable.register(on: handle)
  }

  /// Runs `body`, in which SQLite waits for locks of other connections for at most `timeout`.
  func waiting<Result>(atMost timeout: Duration, _ body: () -> Result) -> Result {
    sqlite3_busy_timeout(handle, timeout.int32Milliseconds)
    defer { sqlite3_busy_timeout(handle, busyTimeout.int32Milliseconds) }
    return body()
  }

  /// Measures the times of statements from now on.
  func measureStatements() { trace = StatementTrace(of: handle) }

  deinit {
    // The trace ends before the connection, whose closing finalizes statements.
    if trace != nil { sqlite3_trace_v2(handle, 0, nil, nil) }
    for statement in statements { sqlite3_finalize(statement?.handle) }
    if let health, health.isLogEmptied { deletesLogWhenClosed() }
    sqlite3_close_v2(handle)
  }

  /// The file system of the writer, whose commits write the log. Nil is the system's.
  private static func gatheringLog(over fileSystem: String?) throws(DatabaseError) -> String {
    guard let name = gathered_log_over(fileSystem) else {
      throw DatabaseError(.inputOutput, message: "There is no file system \(fileSystem ?? "of SQLite").")
    }
    return String(cString: name)
  }

  private func configure(_ mode: Mode) throws(DatabaseError) {
    // A statement has the same plan for all values of its parameters. Otherwise SQLite prepares some of them again for
    // each new value: with 3.50 this was every page of a list, and a dashboard took 592,000 instructions, not 215,000.
    _ = csqlite_db_config_flag(handle, SQLITE_DBCONFIG_ENABLE_QPSG, 1)
    // The log stays as it is, also when a start rejects the file. Otherwise the last connection to a file copies the
    // log into it and deletes the log when it closes.
    _ = csqlite_db_config_flag(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    switch mode {
    case .write:
      try enterWriteAheadLog()
      // FULL: the log reaches the disk before a commit returns (https://sqlite.org/pragma.html#pragma_synchronous).
      try execute("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA journal_size_limit = 67108864")
      // Deleted content is overwritten with zeros.
      try execute("PRAGMA secure_delete = ON")
    case .read:
      try execute("PRAGMA query_only = ON")
    }
  }

  /// Lets the last connection to the file delete the log, which is empty.
  func deletesLogWhenClosed() { _ = csqlite_db_config_flag(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0) }

  /// Creates an empty file that only its owner can read, unless the file exists. SQLite would create it with the
  /// permissions that the umask gives, and it gives the log the mode of the database file. Errors are ignored here:
  /// they occur again, and are reported, when SQLite opens the file.
  private static func makeFile(at path: String) {
    // An existing file is not opened: closing it would release this process's locks on it (fcntl(2)).
    guard access(path, F_OK) != 0 else { return }
    let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if file >= 0 { close(file) }
  }

  /// When two processes switch a file to write-ahead logging at the same time, one of them gets SQLITE_BUSY without
  /// waiting, because both hold a shared lock and wait for the other's release. The condition ends within milliseconds.
  private func enterWriteAheadLog() throws(DatabaseError) {
    var waited = Duration.zero
    while true {
      do throws(DatabaseError) {
        let mode = try text(of: "PRAGMA journal_mode = WAL")
        guard mode == "wal" else {
          throw DatabaseError(
            .inputOutput,
            message: "The file system does not support write-ahead logging (the journal mode stays \(mode ?? ""))."
          )
        }
        return
      } catch {
        guard error.code == .busy, waited < busyTimeout else { throw error }
        waited += .milliseconds(sqlite3_sleep(5))
      }
    }
  }
}

extension Connection {
  /// The prepared statement for `sql`. It is prepared at its first use and cached.
  @inlinable @inline(__always)
  package func statement(_ sql: StatementText) throws(DatabaseError) -> Statement {
    if sql.slot < statements.count, let prepared = statements[sql.slot] {
      tableUse.add(prepared)
      assert(sqlite3_stmt_busy(prepared.handle) == 0, "requested again while its rows are being read: \(sql.text)")
      return Statement(prepared.handle)
    }
    return try prepare(sql)
  }

  @usableFromInline @inline(never)
  package func prepare(_ sql: StatementText) throws(DatabaseError) -> Statement {
    guard sql.slot < StatementText.limit else {
      throw DatabaseError(
        .misuse,
        message: "There are more than \(StatementText.limit) statements: SQL must not be created for each request.",
        sql: sql.text
      )
    }
    let prepared = try tableUse.preparing(sql.partitions) { () throws(DatabaseError) in try prepare(sql.text) }
    if statements.count <= sql.slot {
      statements.append(contentsOf: repeatElement(nil, count: sql.slot + 1 - statements.count))
    }
    statements[sql.slot] = prepared
    tableUse.add(prepared)
    return Statement(prepared.handle)
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
      throw DatabaseError(.misuse, message: "Expected one statement.", sql: text)
    }
    return prepared
  }

  /// Runs statements without parameters and ignores their rows.
  func execute(_ text: String) throws(DatabaseError) {
    let result = sqlite3_exec(handle, text, nil, nil, nil)
    if result != SQLITE_OK { throw DatabaseError(result, in: handle, sql: text) }
  }

  func execute(_ sql: StatementText) throws(DatabaseError) { try statement(sql).run() }

  /// Calls `body` with each row of a statement that is not cached, such as a pragma.
  func forEachRow(of text: String, _ body: (Row) throws(DatabaseError) -> Void) throws(DatabaseError) {
    let prepared = try prepare(text)
    defer { sqlite3_finalize(prepared) }
    try Statement(prepared).forEachRow(body)
  }

  /// Calls `body` with a statement that is not cached, such as one for a single table of a copy.
  func withStatement(_ text: String, _ body: (Statement) throws -> Void) throws {
    let prepared = try prepare(text)
    defer { sqlite3_finalize(prepared) }
    try body(Statement(prepared))
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

  /// Rewrites the first page unchanged, by setting a header field to its current value.
  func touch() throws(DatabaseError) {
    try execute("PRAGMA user_version = \(try int64(of: "PRAGMA user_version"))")
  }
}

extension Duration {
  /// Milliseconds as SQLite takes them.
  fileprivate var int32Milliseconds: Int32 { Int32(clamping: millisecondsRoundedUp) }
}
