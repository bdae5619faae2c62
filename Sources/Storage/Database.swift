import Basics
import CSQLite

/// A SQLite database file with any number of readers and one writer.
package final class Database: Sendable {
  /// Receives the published events of committed writes (`WriteTransaction.publish`). Called on the writer's thread: it
  /// must return quickly.
  package typealias Announce = @Sendable ([any Sendable]) -> Void

  package let path: String
  private let limits: DatabaseLimits
  private let queue: WriteQueue
  private let health: DatabaseHealth
  private let fileSystem: String?
  private let measuresStatements: Bool
  /// The durations of commits, each of which stores the writes of a group.
  package let commitDurations = Histogram([
    0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
  ])
  private let defersReads: Bool

  /// Opens or creates the file at `path`, runs the missing `migrations` and starts the writer. Blocks: call it at
  /// startup only. Throws `newerDatabase` and `migrationChanged` in addition to the errors of SQLite.
  ///
  /// If another program or a power failure can have changed the file, all of its pages are checked first, and a damaged
  /// file is rejected as `corrupt` before anything is written to it. A file whose write-ahead log is missing, although
  /// the log contained commits, is rejected as `logMissing`. See `LastUse`.
  package init(
    path: String,
    migrations: [Migration],
    limits: DatabaseLimits = DatabaseLimits(),
    opening: DatabaseOpening = DatabaseOpening(),
    announce: @escaping Announce = { _ in }
  ) throws(DatabaseError) {
    self.path = path
    self.limits = limits
    fileSystem = opening.fileSystem
    measuresStatements = opening.measuresStatements
    defersReads = opening.defersReads
    let lastUse = LastUse(of: path)
    if lastUse.hasLostLog { try Self.requireAcceptance(of: path, opening) }
    queue = WriteQueue(limit: limits.queuedWrites, groupLimit: limits.groupedWrites)
    let connection = try Connection(
      path: path,
      mode: .write,
      busyTimeout: limits.busyTimeout,
      cacheKibibytes: limits.writerCacheKibibytes,
      fileSystem: opening.fileSystem
    )
    if case .doubtful(let reason) = lastUse.finding {
      opening.report("Checking all pages of \(path): \(reason).")
      try Self.requireSoundPages(of: connection)
    }
    try Migrator(on: connection).migrate(with: migrations)
    if opening.measuresStatements { connection.measureStatements() }
    health = DatabaseHealth(of: path)
    try Writer.start(
      on: connection,
      queue: queue,
      limits: limits,
      health: health,
      path: path,
      commitDurations: commitDurations,
      announce: announce
    )
  }

  private static func requireAcceptance(of path: String, _ opening: DatabaseOpening) throws(DatabaseError) {
    let loss =
      "The write-ahead log \(path)-wal is missing, although the last server had not emptied it into the "
      + "database: the last commits are lost."
    guard opening.acceptsLostLog else { throw DatabaseError(.logMissing, loss) }
    opening.report(loss + " Continuing without it.")
  }

  private static func requireSoundPages(of connection: Connection) throws(DatabaseError) {
    let faults = try IntegrityCheck.brokenPages(in: connection)
    guard let first = faults.first else { return }
    throw DatabaseError(
      .corrupt,
      "it is damaged (\(first)\(faults.count > 1 ? ", and more" : "")). Nothing was written to it. Restore a backup."
    )
  }

  deinit { queue.close() }

  /// The version of SQLite.
  package static var engineVersion: String { String(cString: sqlite3_libversion()) }

  /// The number of writes that wait, without the running group.
  package var waitingWrites: Int { queue.count }

  /// Creates a reader for a thread without a time limit. Its transactions are limited by `DatabaseLimits.readSteps`.
  package func makeReader() throws(DatabaseError) -> Reader { try makeReader(isOnLoop: false) }

  /// The readers of an event loop. Their transactions become overdue after `DatabaseLimits.loopTurn`.
  package func makeLoopReaders() -> LoopReaders {
    LoopReaders(areShared: !defersReads) { () throws(DatabaseError) in try self.makeReader(isOnLoop: true) }
  }

  private func makeReader(isOnLoop: Bool) throws(DatabaseError) -> Reader {
    // Another file with the same name is not this database, and SQLite would create a new log if it found none.
    try health.requireFilesInPlace()
    return try Reader(
      path: path,
      limits: limits,
      isOnLoop: isOnLoop,
      isDeferred: isOnLoop && defersReads,
      fileSystem: fileSystem,
      health: health,
      measuresStatements: measuresStatements
    )
  }

  /// Creates a reader for a file of any schema version. For tests, and for inspecting a backup.
  package static func reader(of path: String) throws(DatabaseError) -> Reader {
    try Reader(path: path, limits: DatabaseLimits(), isOnLoop: false)
  }

  /// Runs `body` on the writer's thread and returns its result once the write is durable.
  ///
  /// Waiting writes share a transaction (group commit). They run in the order in which they were queued, and each sees
  /// the changes of those before it. If `body` throws, its changes are rolled back and the error is rethrown. If the
  /// failure of another write rolls back the shared transaction, `body` runs a second time. It must therefore have no
  /// effect other than on the database; other effects belong in `afterCommit`.
  ///
  /// Throws `overloaded` immediately if the queue is full, and `closed` after `close()`. A queued write runs even if
  /// its caller is cancelled.
  package func write<Value: Sendable>(
    _ body: @escaping @Sendable (WriteTransaction) throws -> Value
  ) async throws -> Value {
    // Unsafe, because a checked continuation costs a small write some 2 % of its time. The writer answers each queued
    // write exactly once.
    try await withUnsafeThrowingContinuation { caller in
      let write = PendingWrite(body, resuming: caller)
      do throws(DatabaseError) { try queue.append(write) } catch { write.fail(error) }
    }
  }

  /// Why writes are not stored: a file was moved, or the last write failed because the disk is full or faulty and no
  /// write has succeeded since. Nil if writes are stored as far as is known. Costs two calls of stat(2).
  package var writeFailure: DatabaseError? {
    do throws(DatabaseError) { try health.requireFilesInPlace() } catch { return error }
    return health.failure
  }

  /// Commits a write that changes nothing, to find out whether writes succeed again after a failure.
  package func probeWrite() async throws {
    try await write { transaction in try transaction.touch() }
  }

  /// Rejects further writes, waits for the queued ones, empties the log into the file and closes the writer's
  /// connection. Readers should be released before.
  package func close() async {
    await withCheckedContinuation { caller in queue.close { caller.resume() } }
  }

  /// Copies a snapshot of the data into a new file while the database is in use. Blocks: do not call it on an event
  /// loop.
  package func backup(to destination: String) throws(DatabaseError) {
    try Self.backup(from: path, to: destination)
  }

  /// The same for a file that another process may be serving.
  package static func backup(from path: String, to destination: String) throws(DatabaseError) {
    try Backup.copy(from: path, to: destination)
  }

  /// One sentence for each fault of the file; empty if it is sound. Reads the entire file and blocks: do not call it on
  /// an event loop.
  package func integrityCheck() throws(DatabaseError) -> [String] { try Self.integrityCheck(of: path) }

  /// The same for a file that another process may be serving.
  package static func integrityCheck(of path: String) throws(DatabaseError) -> [String] {
    try IntegrityCheck.faults(in: path)
  }
}
