import CSQLite

/// Prevents commits other than the writer's. If SQLite has rolled back the transaction of a body that goes on
/// regardless, each of its further statements would commit by itself. A body that runs COMMIT would commit too.
final class CommitGuard {
  private let database: OpaquePointer
  var isOpen = false

  init(of database: OpaquePointer) {
    self.database = database
    // Unretained: deinit removes the hook.
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
