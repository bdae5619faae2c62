/// The data: one SQLite file, read by any number of readers and written by one writer.
package final class Database: Sendable {
  /// Is handed what writes had to tell (`WriteTransaction.tell`), on the writer's thread: hand over and return.
  package typealias Announce = @Sendable ([any Sendable]) -> Void

  package let path: String
  private let limits: DatabaseLimits
  private let queue: WriteQueue

  /// Opens the file at `path`, or makes it, brings it to the schema of `migrations` and starts the writer. Blocks: at
  /// start only. Throws `newerDatabase` and `migrationChanged` beside what SQLite has to say.
  package init(
    path: String,
    migrations: [Migration],
    limits: DatabaseLimits = DatabaseLimits(),
    announce: @escaping Announce = { _ in }
  ) throws(DatabaseError) {
    self.path = path
    self.limits = limits
    queue = WriteQueue(limit: limits.queuedWrites, groupLimit: limits.groupedWrites)
    let connection = try Connection(
      path: path,
      mode: .write,
      busyTimeout: limits.busyTimeout,
      cacheKibibytes: limits.writerCacheKibibytes
    )
    try Migrator(on: connection).migrate(with: migrations)
    try Writer.start(on: connection, queue: queue, limits: limits, announce: announce)
  }

  deinit { queue.close() }

  /// How many writes wait for the one that runs.
  package var waitingWrites: Int { queue.count }

  /// A reader for one event loop.
  package func makeReader() throws(DatabaseError) -> Reader { try Reader(path: path, limits: limits) }

  /// A reader of a file as it is, whose schema may be another program's: for tests and for looking at a backup.
  package static func reader(of path: String) throws(DatabaseError) -> Reader {
    try Reader(path: path, limits: DatabaseLimits())
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
