import CSQLite

/// Copies the write-ahead log into the database file when it has grown (https://sqlite.org/wal.html#ckpt). SQLite
/// itself would do so within a commit, while its caller waits; here it is done after the answers.
struct Checkpointer: ~Copyable {
  /// What SQLite reports after each commit that has written something.
  private struct Log {
    var pages = 0
    var commits = 0
  }

  private let connection: Connection
  /// Pages that the log may hold before it is copied.
  private let stride: Int
  private var dueAt: Int
  /// Owned by this value; deinit takes the hook away.
  private let log: UnsafeMutablePointer<Log>

  init(of connection: Connection, after stride: Int) {
    self.connection = connection
    self.stride = stride
    dueAt = stride
    log = .allocate(capacity: 1)
    log.initialize(to: Log())
    // It replaces the automatic checkpoint, which is such a hook too.
    sqlite3_wal_hook(
      connection.handle,
      { context, _, _, pages in
        guard let log = context?.assumingMemoryBound(to: Log.self) else { return SQLITE_OK }
        log.pointee.pages = Int(pages)
        log.pointee.commits &+= 1
        return SQLITE_OK
      },
      log
    )
  }

  deinit {
    sqlite3_wal_hook(connection.handle, nil, nil)
    log.deallocate()
  }

  /// How many commits have written something.
  var commits: Int { log.pointee.commits }

  /// Returns whether the database file was, or may have been, changed.
  mutating func checkpointIfDue() -> Bool {
    // After a log that was copied to its end, the next commit begins it anew.
    if log.pointee.pages < dueAt - stride { dueAt = stride }
    guard log.pointee.pages >= dueAt else { return false }
    // PASSIVE waits for nobody. Readers that never pause all at once could let the log grow for ever: far past its
    // size, RESTART waits for them, and they are short.
    let mode = log.pointee.pages > 16 * stride ? SQLITE_CHECKPOINT_RESTART : SQLITE_CHECKPOINT_PASSIVE
    sqlite3_wal_checkpoint_v2(connection.handle, nil, mode, nil, nil)
    // When a reader's snapshot stopped it, not again for every commit.
    dueAt = log.pointee.pages + stride
    return true
  }

  /// At the end: copies everything into the database file. Returns false when something is left in the log.
  func copyAll() -> Bool {
    var pages: Int32 = 0
    var copied: Int32 = 0
    let result = sqlite3_wal_checkpoint_v2(connection.handle, nil, SQLITE_CHECKPOINT_FULL, &pages, &copied)
    return result == SQLITE_OK && pages == copied
  }

  /// Empties a log that was copied as a whole.
  func truncate() {
    sqlite3_wal_checkpoint_v2(connection.handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
  }
}
