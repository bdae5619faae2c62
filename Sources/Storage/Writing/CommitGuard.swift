import CSQLite

/// Nothing is committed but by the writer. A body whose transaction SQLite has rolled back, and which goes on as if
/// nothing had happened, would otherwise commit each of its further statements by itself; so would one that runs
/// COMMIT.
final class CommitGuard {
  private let database: OpaquePointer
  var isOpen = false

  init(of database: OpaquePointer) {
    self.database = database
    // Unretained: deinit takes the hook away.
    sqlite3_commit_hook(
      database,
      { context in
        guard let context else { return 1 }
        return Unmanaged<CommitGuard>.fromOpaque(context).takeUnretainedValue().isOpen ? 0 : 1
      },
      Unmanaged.passUnretained(self).toOpaque()
    )
  }

  deinit { sqlite3_commit_hook(database, nil, nil) }
}
