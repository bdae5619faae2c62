/// The data: one SQLite file, read by any number of readers and written by one writer.
package final class Database: Sendable {
  /// Is handed what writes had to tell (`WriteTransaction.tell`), on the writer's thread: hand over and return.
  package typealias Announce = @Sendable ([any Sendable]) -> Void

  package let path: String
  private let limits: DatabaseLimits
  private let queue: WriteQueue
  private let health: DatabaseHealth
  private let fileSystem: String?

  /// Opens the file at `path`, or makes it, brings it to the schema of `migrations` and starts the writer. Blocks: at
  /// start only. Throws `newerDatabase` and `migrationChanged` beside what SQLite reports.
  ///
  /// Where the file may not be as this program has left it, all its pages are checked first, and a damaged file is
  /// rejected as `corrupt` before anything is written to it. Where a log is missing that had commits in it, it is
  /// rejected as `logMissing`. See `LastUse`.
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
    health = DatabaseHealth(of: path)
    try Writer.start(on: connection, queue: queue, limits: limits, health: health, path: path, announce: announce)
  }

  private static func requireAcceptance(of path: String, _ opening: DatabaseOpening) throws(DatabaseError) {
    let loss =
      "The write-ahead log \(path)-wal is missing, which the last server had not emptied into the database: what it "
      + "stored last is lost."
    guard opening.acceptsLostLog else { throw DatabaseError(.logMissing, loss) }
    opening.report(loss + " Going on without it.")
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

  /// How many writes wait for the one that runs.
  package var waitingWrites: Int { queue.count }

  /// A reader for a thread that may take its time, within `DatabaseLimits.readSteps`.
  package func makeReader() throws(DatabaseError) -> Reader { try makeReader(isOnLoop: false) }

  /// A reader for an event loop, whose transactions become overdue after `DatabaseLimits.loopTurn`.
  package func makeLoopReader() throws(DatabaseError) -> Reader { try makeReader(isOnLoop: true) }

  private func makeReader(isOnLoop: Bool) throws(DatabaseError) -> Reader {
    // Another file of that name is not this database, and SQLite would begin a new log where it finds none.
    try health.requireFilesInPlace()
    return try Reader(path: path, limits: limits, isOnLoop: isOnLoop, fileSystem: fileSystem, health: health)
  }

  /// A reader of a file as it is, whose schema may be another program's: for tests and for looking at a backup.
  package static func reader(of path: String) throws(DatabaseError) -> Reader {
    try Reader(path: path, limits: DatabaseLimits(), isOnLoop: false)
  }

  /// Runs `body` on the writer's thread and returns its result when it is on the disk.
  ///
  /// Bodies that wait share a transaction, in the order they came, each seeing what those before it have written. When
  /// `body` throws, what it wrote is undone, and its error is thrown here. `body` can run a second time, when a
  /// neighbour's failure took the transaction away: it changes nothing but the database, and leaves all else to
  /// `afterCommit`.
  ///
  /// Throws `overloaded` at once when too many wait, and `closed` after `close`. A write that waits is done even when
  /// its caller is cancelled.
  package func write<Value: Sendable>(
    _ body: @escaping @Sendable (WriteTransaction) throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { caller in
      let write = PendingWrite(body, resuming: caller)
      do throws(DatabaseError) { try queue.append(write) } catch { write.refuse(error) }
    }
  }

  /// Why writes are not being stored: the files are not in their place, or the last write met a full or failing disk
  /// and none was stored since. Nil when writes are stored, as far as is known. Costs two calls of stat(2).
  package var writeFailure: DatabaseError? {
    do throws(DatabaseError) { try health.requireFilesInPlace() } catch { return error }
    return health.failure
  }

  /// Stores something that changes nothing, to find out whether writes are stored again after a failure.
  package func tryToStore() async throws {
    try await write { transaction in try transaction.touch() }
  }

  /// Takes no more writes, waits for those that were taken, empties the log into the file and closes the writer's
  /// connection. Readers are let go of by those who have them, best before this.
  package func close() async {
    await withCheckedContinuation { caller in queue.close { caller.resume() } }
  }

  /// Copies the data as it stands now into a new file, while it is read and written. Blocks: never on a loop.
  package func backup(to destination: String) throws(DatabaseError) {
    try Self.backup(from: path, to: destination)
  }

  /// The same for a file that another process may be serving.
  package static func backup(from path: String, to destination: String) throws(DatabaseError) {
    try Backup.copy(from: path, to: destination)
  }

  /// One sentence for each fault of the file, none when it is sound. Reads all of it, and blocks: never on a loop.
  package func integrityCheck() throws(DatabaseError) -> [String] { try Self.integrityCheck(of: path) }

  /// The same for a file that another process may be serving.
  package static func integrityCheck(of path: String) throws(DatabaseError) -> [String] {
    try IntegrityCheck.faults(in: path)
  }
}
