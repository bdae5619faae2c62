import CSQLite

/// Copies the write-ahead log into the database file when it has grown (https://sqlite.org/wal.html#ckpt). SQLite
/// itself would do so within a commit, while its caller waits; here it is done after the answers.
struct Checkpointer: ~Copyable {
  private let connection: Connection
  /// Pages that the log may hold before it is copied.
  private let stride: Int
  private var dueAt: Int
  /// Pages in the log, told by SQLite after each commit. Owned by this value; deinit takes the hook away.
  private let pages: UnsafeMutablePointer<Int>

  init(of connection: Connection, after stride: Int) {
    self.connection = connection
    self.stride = stride
    dueAt = stride
    pages = .allocate(capacity: 1)
    pages.initialize(to: 0)
    // It takes the place of the automatic checkpoint, which is such a hook too.
    sqlite3_wal_hook(
      connection.handle,
      { context, _, _, pages in
        context?.assumingMemoryBound(to: Int.self).pointee = Int(pages)
        return SQLITE_OK
      },
      pages
    )
  }

  deinit {
    sqlite3_wal_hook(connection.handle, nil, nil)
    pages.deallocate()
  }

  mutating func checkpointIfDue() {
    // After a log that was copied to its end, the next commit begins it anew.
    if pages.pointee < dueAt - stride { dueAt = stride }
    guard pages.pointee >= dueAt else { return }
    // PASSIVE waits for nobody. Readers that never pause all at once could let the log grow for ever: far past its
    // size, RESTART waits for them, and they are short.
    let mode = pages.pointee > 16 * stride ? SQLITE_CHECKPOINT_RESTART : SQLITE_CHECKPOINT_PASSIVE
    sqlite3_wal_checkpoint_v2(connection.handle, nil, mode, nil, nil)
    // When a reader's snapshot stopped it, not again for every commit.
    dueAt = pages.pointee + stride
  }

  /// At the end: everything into the file, and an empty log.
  func truncate() {
    sqlite3_wal_checkpoint_v2(connection.handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
  }
}
