import CSQLite

/// Prevents commits other than the writer's. If SQLite has rolled back the transaction of a body that goes on
/// regardless, each of its further statements would commit by itself. A body that runs COMMIT would commit too.
///
/// Every commit of the writer's connection changes the version of the file, because SQLite asks this guard before it.
final class CommitGuard {
  private let connection: Connection
  private let versions: TableVersions
  private var isOpen = false

  init(of connection: Connection, versions: TableVersions) {
    self.connection = connection
    self.versions = versions
    // Unretained: deinit removes the hook.
    sqlite3_commit_hook(
      connection.handle,
      { context in
        guard let context else { return 1 }
        return Unmanaged<CommitGuard>.fromOpaque(context).takeUnretainedValue().allowsCommit() ? 0 : 1
      },
      Unmanaged.passUnretained(self).toOpaque()
    )
  }

  private func allowsCommit() -> Bool {
    if isOpen { versions.commitWillBegin() }
    return isOpen
  }

  /// Runs `body`, which commits.
  ///
  /// - Parameters:
  ///   - changed: at least the tables that the commit changes.
  ///   - partitions: at least the partitions.
  func commit(
    changing changed: TableSet,
    partitions: ChangedPartitions,
    _ body: () throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    versions.willCommit(changing: changed, partitions: partitions)
    isOpen = true
    defer {
      isOpen = false
      versions.commitDidEnd()
    }
    try body()
  }

  deinit { sqlite3_commit_hook(connection.handle, nil, nil) }
}
