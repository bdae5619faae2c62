import CSQLite

/// Runs a checkpoint when the write-ahead log has grown (https://sqlite.org/wal.html#ckpt). SQLite's automatic
/// checkpoint runs within a commit while its caller waits; this one runs after the callers have their results.
struct Checkpointer: ~Copyable {
  /// The state that SQLite reports after each commit that has written something.
  private struct Log {
    var pages = 0
    var commits = 0
  }

  private let connection: Connection
  /// Pages in the log that trigger a checkpoint.
  private let stride: Int
  private let recall: SnapshotRecall
  /// The longest time to wait for readers that are recalled: see `DatabaseLimits.checkpointTimeout`.
  private let checkpointTimeout: Duration
  private var dueAt: Int
  /// Owned by this value. deinit removes the hook.
  private let log: UnsafeMutablePointer<Log>

  init(of connection: Connection, limits: DatabaseLimits, recall: SnapshotRecall) {
    self.connection = connection
    self.recall = recall
    stride = limits.checkpointPages
    checkpointTimeout = limits.checkpointTimeout
    dueAt = limits.checkpointPages
    log = .allocate(capacity: 1)
    log.initialize(to: Log())
    // This replaces the automatic checkpoint, which is such a hook too.
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

  /// The number of commits that have written something.
  var commits: Int { log.pointee.commits }

  /// Runs a checkpoint if one is due. Returns whether the database file may have changed.
  mutating func checkpointIfDue() -> Bool {
    // After a complete checkpoint, the next commit restarts the log.
    if log.pointee.pages < dueAt - stride { dueAt = stride }
    guard log.pointee.pages >= dueAt else { return false }
    // PASSIVE does not wait for readers. If readers overlap without a pause, the log could grow without bound: far
    // beyond its usual size, RESTART waits for the readers, whose transactions are short or recalled.
    if log.pointee.pages > 8 * stride {
      recall.recall()
      let timeout = log.pointee.pages > 16 * stride ? connection.busyTimeout : checkpointTimeout
      connection.waiting(atMost: timeout) { checkpoint(SQLITE_CHECKPOINT_RESTART) }
    } else {
      checkpoint(SQLITE_CHECKPOINT_PASSIVE)
    }
    // If a reader's snapshot stopped the checkpoint, it is not retried after every commit.
    dueAt = log.pointee.pages + stride
    return true
  }

  private func checkpoint(_ mode: Int32) {
    sqlite3_wal_checkpoint_v2(connection.handle, nil, mode, nil, nil)
  }

  /// Copies the entire log into the database file when the database is closed. Returns false if something is left in
  /// the log.
  func copyAll() -> Bool {
    var pages: Int32 = 0
    var copied: Int32 = 0
    let result = sqlite3_wal_checkpoint_v2(connection.handle, nil, SQLITE_CHECKPOINT_FULL, &pages, &copied)
    return result == SQLITE_OK && pages == copied
  }

  /// Empties the log after a complete checkpoint. Returns false if a reader prevents it.
  @discardableResult
  func truncate() -> Bool {
    sqlite3_wal_checkpoint_v2(connection.handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil) == SQLITE_OK
  }
}
