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
  private let report: @Sendable (String) -> Void
  /// Why the last checkpoint failed; nil if it did not.
  private var failure: DatabaseError.Code?
  /// Owned by this value. deinit removes the hook.
  private let log: UnsafeMutablePointer<Log>

  init(of connection: Connection, in environment: Writer.Environment) {
    let limits = environment.limits
    self.connection = connection
    recall = environment.recall
    report = environment.report
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

  /// Whether the log is long enough for a checkpoint.
  var isDue: Bool {
    mutating get {
      // After a complete checkpoint, the next commit restarts the log.
      if log.pointee.pages < dueAt - stride { dueAt = stride }
      return log.pointee.pages >= dueAt
    }
  }

  /// Copies the log into the database file, as far as readers allow it.
  mutating func checkpoint() {
    // PASSIVE does not wait for readers. If readers overlap without a pause, the log could grow without bound: far
    // beyond its usual size, RESTART waits for the readers, whose transactions are short or recalled.
    if log.pointee.pages > 8 * stride {
      recall.recall()
      let timeout = log.pointee.pages > 16 * stride ? connection.busyTimeout : checkpointTimeout
      _ = connection.waiting(atMost: timeout) { run(SQLITE_CHECKPOINT_RESTART) }
    } else {
      _ = run(SQLITE_CHECKPOINT_PASSIVE)
    }
    // If a reader's snapshot stopped the checkpoint, it is not retried after every commit.
    dueAt = log.pointee.pages + stride
  }

  /// Copies the entire log into the database file. Returns false if something is left in the log.
  mutating func copyAll() -> Bool { run(SQLITE_CHECKPOINT_FULL) }

  /// Empties the log after a complete checkpoint. Returns false if a reader prevents it.
  @discardableResult
  mutating func truncate() -> Bool { run(SQLITE_CHECKPOINT_TRUNCATE) }

  /// Returns whether the entire log is copied.
  private mutating func run(_ mode: Int32) -> Bool {
    var pages: Int32 = 0
    var copied: Int32 = 0
    let result = sqlite3_wal_checkpoint_v2(connection.handle, nil, mode, &pages, &copied)
    let isComplete = result == SQLITE_OK && pages == copied
    // What readers have held up shows nothing about the disk.
    if isComplete { note(nil) } else if result != SQLITE_OK { note(DatabaseError(result, in: connection.handle)) }
    return isComplete
  }

  /// Reports a failure unless the last checkpoint had the same, and the end of one. Commits succeed all the same while
  /// the log can be written, and the log grows without bound.
  private mutating func note(_ error: DatabaseError?) {
    // Being held up by readers is no failure.
    guard error?.code != .busy, error?.code != failure else { return }
    failure = error?.code
    report(
      error.map { "The write-ahead log cannot be copied into the database, and grows: \($0)" }
        ?? "The write-ahead log is copied into the database again."
    )
  }
}
