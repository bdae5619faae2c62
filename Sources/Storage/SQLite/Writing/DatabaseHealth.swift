import Synchronization

/// Whether writes are stored. Updated by the writer, read by health checks.
final class DatabaseHealth: Sendable {
  private struct State {
    /// Why the last write was not stored; nil once a write is stored again.
    var failure: DatabaseError?
    /// The write-ahead log that the writer has open; nil before its first write.
    var log: FileStatus.Identity?
    var isLogEmptied = false
  }

  private let path: String
  /// The open database file.
  private let database: FileStatus.Identity?
  private let state = Mutex(State())

  /// Call this after the file at `path` has been opened or created.
  init(of path: String) {
    self.path = path
    database = FileStatus(of: path)?.identity
  }

  func logIsOpen() {
    let log = FileStatus(of: path + "-wal")?.identity
    state.withLock { $0.log = log }
  }

  /// Records that the log is empty and can be deleted with the last connection.
  func logIsNotNeeded() {
    state.withLock { state in
      state.log = nil
      state.isLogEmptied = true
    }
  }

  /// Whether the database is closed with an empty log, so that the last connection can delete the log.
  var isLogEmptied: Bool { state.withLock { $0.isLogEmptied } }

  func writeFailed(_ error: DatabaseError) {
    guard error.code == .full || error.code == .inputOutput || error.code == .moved else { return }
    state.withLock { $0.failure = error }
  }

  func writeSucceeded() { state.withLock { $0.failure = nil } }

  var failure: DatabaseError? { state.withLock { $0.failure } }

  /// Throws if a path no longer refers to the open file, because no other process would find what is written to it. Two
  /// calls of stat(2), 1 µs each.
  func requireFilesInPlace() throws(DatabaseError) {
    guard FileStatus(of: path)?.identity == database else {
      throw DatabaseError(
        .moved,
        message:
          "\(path) was moved, replaced or deleted while it is open. Put it back, or stop the server, which saves what "
          + "was written to the open file."
      )
    }
    guard let log = state.withLock({ $0.log }) else { return }
    guard FileStatus(of: path + "-wal")?.identity == log else {
      throw DatabaseError(
        .moved,
        message:
          "\(path)-wal was moved, replaced or deleted while it is open. Stop the server with SIGTERM, which saves its "
          + "content."
      )
    }
  }
}
