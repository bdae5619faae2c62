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
  /// Damaged pages are copied as they are. Returns what `IntegrityCheck.brokenPages` finds in the copy, after the
  /// sentence about a missing or damaged write-ahead log (`LastUse.loss`).
  static func copy(from source: String, to destination: String) throws(DatabaseError) -> [String] {
    let partial = try PartialFile(for: destination)
    let lastUse = LastUse(of: source)
    try lastUse.requireOwnFiles()
    try copyPages(from: source, to: partial.path, of: destination)
    let faults = try IntegrityCheck.brokenPages(in: Connection(path: partial.path, mode: .read))
    try partial.complete()
    return (lastUse.loss.map { [$0] } ?? []) + faults
  }

  /// - Parameters:
  ///   - path: an empty file.
  ///   - destination: the name that it gets.
  private static func copyPages(
    from source: String,
    to path: String,
    of destination: String
  ) throws(DatabaseError) {
    let from = try Connection(path: source, mode: .read)
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_EXRESCODE
    let result = sqlite3_open_v2(path, &opened, flags, nil)
    defer { sqlite3_close_v2(opened) }
    guard result == SQLITE_OK, let opened else { throw unusable(destination, after: DatabaseError(result, in: opened)) }
    guard let backup = sqlite3_backup_init(opened, "main", from.handle, "main") else {
      throw DatabaseError(sqlite3_extended_errcode(opened), in: opened)
    }
    let stepped = sqlite3_backup_step(backup, -1)
    let finished = sqlite3_backup_finish(backup)
    guard stepped == SQLITE_DONE, finished == SQLITE_OK else {
      let failed = finished == SQLITE_OK ? stepped : finished
      let error = DatabaseError(failed, in: opened)
      throw isOfWriting(failed) ? unusable(destination, after: error) : error
    }
    // A single file that can be read on a read-only file system.
    let journal = sqlite3_exec(opened, "PRAGMA journal_mode = DELETE", nil, nil, nil)
    guard journal == SQLITE_OK else { throw unusable(destination, after: DatabaseError(journal, in: opened)) }
  }

  /// Whether a copy failed at the new file: nothing is written to the source.
  private static func isOfWriting(_ result: Int32) -> Bool {
    switch result & 0xFF {
    case SQLITE_FULL, SQLITE_READONLY, SQLITE_CANTOPEN: true
    // Writing, fsync of a file and of a folder, and truncating. The extended codes are macros over other macros, which
    // Swift does not import: 10 | n << 8.
    case SQLITE_IOERR: (3...6).contains(result >> 8)
    default: false
    }
  }

  private static func unusable(_ destination: String, after error: DatabaseError) -> DatabaseError {
    DatabaseError(
      .destinationUnusable,
      message: "The file \(destination) cannot be written: \(error.message).",
      extendedCode: error.extendedCode
    )
  }
}
