import CSQLite

/// Copies a database while it is in use.
enum Backup {
  /// Copies the file at `source` to `destination`, which must not exist. Blocks until the copy is complete: do not call
  /// it on an event loop.
  ///
  /// All pages are copied in one step, and therefore in one read transaction. Between steps SQLite would restart the
  /// copy after each commit of another connection (https://sqlite.org/c3ref/backup_finish.html) and never finish on a
  /// busy server. The copy gets its final name only when it is complete and durable.
  ///
  /// Damaged pages are copied as they are. Returns what `IntegrityCheck.brokenPages` finds in the copy.
  static func copy(from source: String, to destination: String) throws(DatabaseError) -> [String] {
    let partial = try PartialFile(for: destination)
    try LastUse(of: source).requireOwnLog(of: source)
    try copyPages(from: source, to: partial.path)
    let faults = try IntegrityCheck.brokenPages(in: Connection(path: partial.path, mode: .read))
    try partial.complete()
    return faults
  }

  private static func copyPages(from source: String, to destination: String) throws(DatabaseError) {
    let from = try Connection(path: source, mode: .read)
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_EXRESCODE
    let result = sqlite3_open_v2(destination, &opened, flags, nil)
    defer { sqlite3_close_v2(opened) }
    guard result == SQLITE_OK, let opened else { throw DatabaseError(result, in: opened) }
    guard let backup = sqlite3_backup_init(opened, "main", from.handle, "main") else {
      throw DatabaseError(sqlite3_extended_errcode(opened), in: opened)
    }
    let stepped = sqlite3_backup_step(backup, -1)
    let finished = sqlite3_backup_finish(backup)
    guard stepped == SQLITE_DONE, finished == SQLITE_OK else {
      throw DatabaseError(finished == SQLITE_OK ? stepped : finished, in: opened)
    }
    // A single file that can be read on a read-only file system.
    let journal = sqlite3_exec(opened, "PRAGMA journal_mode = DELETE", nil, nil, nil)
    guard journal == SQLITE_OK else { throw DatabaseError(journal, in: opened) }
  }
}
