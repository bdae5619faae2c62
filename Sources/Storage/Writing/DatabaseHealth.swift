import Synchronization

/// Whether writes are being stored: shared by the writer, which finds out, and by those who ask.
final class DatabaseHealth: Sendable {
  private struct State {
    /// What kept the last write from being stored, until one is stored again.
    var failure: DatabaseError?
    /// The write-ahead log that the writer has open; nil until its first write.
    var log: FileStatus.Identity?
    var isLogEmptied = false
  }

  private let path: String
  /// The file that is open.
  private let database: FileStatus.Identity?
  private let state = Mutex(State())

  /// Called after the file at `path` is opened or made.
  init(of path: String) {
    self.path = path
    database = FileStatus(of: path)?.identity
  }

  func logIsOpen() {
    let log = FileStatus(of: path + "-wal")?.identity
    state.withLock { $0.log = log }
  }

  /// The log is empty, and goes with the last connection.
  func logIsNotNeeded() {
    state.withLock { state in
      state.log = nil
      state.isLogEmptied = true
    }
  }

  /// Whether everything is in the database file, at the end, so that the last connection may delete the log.
  var isLogEmptied: Bool { state.withLock { $0.isLogEmptied } }

  func writeFailed(_ error: DatabaseError) {
    guard error.code == .full || error.code == .inputOutput || error.code == .moved else { return }
    state.withLock { $0.failure = error }
  }

  func writeSucceeded() { state.withLock { $0.failure = nil } }

  var failure: DatabaseError? { state.withLock { $0.failure } }

  /// Throws when the names of the files are no longer those of the files that are open: what was written would be found
  /// by no other process. Two calls of stat(2), 1 µs each.
  func requireFilesInPlace() throws(DatabaseError) {
    guard FileStatus(of: path)?.identity == database else {
      throw DatabaseError(
        .moved,
        "\(path) has been moved, replaced or deleted while it is open. Put it back, or stop the server: that saves what "
          + "was written to the file that it has open."
      )
    }
    guard let log = state.withLock({ $0.log }) else { return }
    guard FileStatus(of: path + "-wal")?.identity == log else {
      throw DatabaseError(
        .moved,
        "\(path)-wal has been moved, replaced or deleted while it is open. Stop the server with SIGTERM: that saves what "
          + "is in it."
      )
    }
  }
}
