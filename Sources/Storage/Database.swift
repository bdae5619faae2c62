import Basics
import CSQLite

/// The data of a server: in a SQLite file, or in a PostgreSQL database. Readers see snapshots of it, and writes are
/// transactions whose outcome is that of one after the other.
package final class Database: Sendable {
  /// Receives the published events of committed writes (`WriteTransaction.publish`). Called on the thread of the write:
  /// it must return quickly.
  package typealias Announce = @Sendable ([any Sendable]) -> Void

  /// What another process sends about its commits: something with a key has reached a number. Hints can be lost,
  /// repeated and late.
  package struct Hint: Sendable {
    /// An ASCII letter.
    package let kind: UInt8
    package let key: Int64
    package let number: Int64
  }

  /// Receives the hints of other processes; nil when some may have been lost. Called on a thread of the database: it
  /// must return quickly.
  package typealias Hinted = @Sendable ([Hint]?) -> Void

  private enum Engine {
    case sqlite(SQLiteEngine)
    case postgreSQL(PostgreSQLEngine)
  }

  private let engine: Engine
  /// The durations of commits. A commit stores the writes of a group.
  package let commitDurations = Histogram([
    0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
  ])

  /// Opens or creates the SQLite file at `path`, runs the missing `migrations` and starts the writer. Blocks: call it
  /// at startup only. Throws `newerDatabase` and `migrationChanged` in addition to the errors of SQLite.
  ///
  /// If another program or a power failure can have changed the file, all of its pages are checked first, and a damaged
  /// file is rejected as `corrupt` before anything is written to it. A file whose write-ahead log is missing or
  /// damaged, although the log contained commits, is rejected as `logMissing`, and a missing or empty file that was in
  /// use as `databaseMissing`. See `LastUse`.
  package init(
    path: String,
    migrations: [Migration],
    limits: DatabaseLimits = DatabaseLimits(),
    opening: DatabaseOpening = DatabaseOpening(),
    announce: @escaping Announce = { _ in }
  ) throws(DatabaseError) {
    engine = .sqlite(
      try SQLiteEngine(
        path: path,
        migrations: migrations,
        limits: limits,
        opening: opening,
        commitDurations: commitDurations,
        announce: announce
      )
    )
  }

  /// Opens a PostgreSQL database. Throws `unreachable` if no server answers, and `inUse` if another process uses the
  /// database alone, such as a server of an earlier version.
  ///
  /// - Parameters:
  ///   - measuresStatements: See `Reader.trace`.
  ///   - hasVersions: Whether readers know versions of the data: see `Reader.beginVersionedRead`.
  ///   - hinted: nil if no hints are exchanged.
  ///   - report: See `DatabaseOpening.report`.
  package init(
    _ server: PostgreSQLDatabase,
    limits: DatabaseLimits = DatabaseLimits(),
    measuresStatements: Bool = false,
    hasVersions: Bool = false,
    hinted: Hinted? = nil,
    report: @escaping @Sendable (String) -> Void = { _ in },
    announce: @escaping Announce = { _ in }
  ) async throws {
    let engine = try PostgreSQLEngine(
      server,
      limits: limits,
      measuresStatements: measuresStatements,
      hasVersions: hasVersions,
      commitDurations: commitDurations,
      hinted: hinted,
      report: report,
      announce: announce
    )
    self.engine = .postgreSQL(engine)
    try await engine.start()
  }

  /// The version of SQLite.
  package static var sqliteVersion: String { String(cString: sqlite3_libversion()) }

  /// The number of writes that wait, without the running ones.
  package var waitingWrites: Int {
    switch engine {
    case .sqlite(let engine): engine.waitingWrites
    case .postgreSQL(let engine): engine.waitingWrites
    }
  }

  /// What the connections to a PostgreSQL server do and have done.
  package var postgreSQLStatistics: PostgreSQLStatistics {
    switch engine {
    case .sqlite: PostgreSQLStatistics()
    case .postgreSQL(let engine): engine.statistics
    }
  }

  /// What the processes of a PostgreSQL database share. Nil with SQLite.
  var singleStatements: SingleStatements? {
    switch engine {
    case .sqlite: nil
    case .postgreSQL(let engine): engine.singleStatements
    }
  }

  /// Creates a reader for a thread without a time limit, which it can block. Its transactions are limited by
  /// `DatabaseLimits.readSteps`.
  package func makeReader() throws(DatabaseError) -> Reader {
    switch engine {
    case .sqlite(let engine): try engine.makeReader(isOnLoop: false)
    case .postgreSQL(let engine): engine.makeReader()
    }
  }

  /// Creates a reader for a thread that counts the rows of whole tables. Its transactions are limited by
  /// `DatabaseLimits.countingSteps`.
  package func makeCountingReader() throws(DatabaseError) -> Reader {
    switch engine {
    case .sqlite(let engine): try engine.makeReader(isOnLoop: false, isCounting: true)
    case .postgreSQL(let engine): engine.makeReader()
    }
  }

  /// Creates a reader for a thread that executes requests. It can block the thread, and its transactions have the
  /// limits of requests. With SQLite they end when the write-ahead log has to be emptied (`Reader.isRecalled`).
  package func makeRequestReader() throws(DatabaseError) -> Reader {
    switch engine {
    case .sqlite(let engine): try engine.makeReader(isOnLoop: false, isRecalled: true)
    case .postgreSQL(let engine): engine.makeRequestReader()
    }
  }

  /// The readers of an event loop, which must be used on its thread. Their transactions become overdue after
  /// `DatabaseLimits.loopTurn`.
  package func makeLoopReaders(on loop: any DescriptorWatcher) -> LoopReaders {
    switch engine {
    case .sqlite(let engine):
      LoopReaders(sharedOn: engine.defersReads ? nil : loop) { () throws(DatabaseError) in
        try engine.makeReader(isOnLoop: true)
      }
    case .postgreSQL(let engine): engine.makeLoopReaders(on: loop)
    }
  }

  /// Opens a SQLite file of any schema version for reading, as `hearth check` and `backup` do.
  package static func reader(of path: String) throws(DatabaseError) -> Reader {
    try Reader(path: path, limits: DatabaseLimits(), isOnLoop: false)
  }

  /// Runs `body` on a thread for writes and returns its result once the write is durable.
  ///
  /// If `body` throws, its changes are rolled back and the error is rethrown. `body` can run again: if the failure of
  /// another write rolls back the transaction that the two share (group commit), and with PostgreSQL if the transaction
  /// conflicts with another one or the connection is lost. It must therefore have no effect other than on
  /// the database; other effects belong in `afterCommit`.
  ///
  /// Throws `overloaded` if too many writes are waiting, of all lanes or of this one, and `closed` after `close()`. A
  /// queued write runs even if its caller is cancelled.
  ///
  /// - Parameters:
  ///   - key: of the family, person or group that the write is about. With PostgreSQL, writes of one of them that
  ///     several processes execute at once conflict.
  ///   - lane: the key of those whose writes wait in one line. Lanes take turns; nil is the lane of the server's own
  ///     writes. With PostgreSQL all writes wait in one line.
  package func write<Value: Sendable>(
    about key: Int64? = nil,
    lane: Int64? = nil,
    _ body: @escaping @Sendable (WriteTransaction) throws -> Value
  ) async throws -> Value {
    let body: @Sendable (WriteTransaction) throws -> Value = { transaction in
      let value = try body(transaction)
      try transaction.writeCollected()
      return value
    }
    switch engine {
    case .sqlite(let engine):
      // Unsafe, because a checked continuation costs a small write some 2 % of its time. The writer answers each queued
      // write exactly once.
      return try await withUnsafeThrowingContinuation { caller in
        let write = PendingWrite(in: lane, body, resuming: caller)
        do throws(DatabaseError) { try engine.enqueue(write) } catch { write.fail(error) }
      }
    case .postgreSQL(let engine): return try await engine.write(about: key, body)
    }
  }

  /// Sends a hint to the other processes soon. Without effect if no hints are exchanged.
  package func postHint(_ kind: UInt8, key: Int64, number: Int64) {
    if case .postgreSQL(let engine) = engine { engine.postHint(kind, key: key, number: number) }
  }

  /// Why writes are not stored: a file was moved, or the last write failed because the disk is full or faulty, or the
  /// database server does not answer, and no write has succeeded since. Nil if writes are stored as far as is known.
  package var writeFailure: DatabaseError? {
    switch engine {
    case .sqlite(let engine): engine.writeFailure
    case .postgreSQL(let engine): engine.writeFailure
    }
  }

  /// Commits a write that changes nothing, to find out whether writes succeed again after a failure.
  package func probeWrite() async throws {
    try await write { transaction in try transaction.touch() }
  }

  /// Rejects further writes, waits for the queued ones and closes the connections. Readers should be released before.
  package func close() async {
    switch engine {
    case .sqlite(let engine): await engine.close()
    case .postgreSQL(let engine): await engine.close()
    }
  }
}

/// SQLite files.
extension Database {
  /// Copies a snapshot of a file that a process may be serving into a new file. Returns one sentence for each of the
  /// first damaged pages, which the copy has too, and one if commits are lost because the write-ahead log is missing or
  /// damaged; empty if the copy is sound. Blocks: do not call it on an event loop.
  package static func backup(from path: String, to destination: String) throws(DatabaseError) -> [String] {
    try Backup.copy(from: path, to: destination)
  }

  /// Throws `databaseMissing` if the file is missing or empty although its write-ahead log or its record is there.
  package static func requireFile(of path: String) throws(DatabaseError) { try LastUse(of: path).requireOwnFiles() }

  /// Whether a copy to this path is in progress or was interrupted.
  package static func hasPartialFile(of path: String) -> Bool { PartialFile.exists(for: path) }

  /// One sentence for each fault of a file that a process may be serving; empty if it is sound. Reads the entire file
  /// and blocks: do not call it on an event loop.
  /// - Parameter supportedVersion: the newest version of the file that the program supports.
  package static func integrityCheck(
    of path: String,
    supportedVersion: Int = .max
  ) throws(DatabaseError) -> [String] {
    try IntegrityCheck.faults(in: path, supported: supportedVersion)
  }
}
