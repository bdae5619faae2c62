import Basics

/// A SQLite database file with any number of readers and one writer.
final class SQLiteEngine: Sendable {
  private let path: String
  private let limits: DatabaseLimits
  private let queue: WriteQueue
  private let end = ThreadEnd()
  private let health: DatabaseHealth
  private let fileSystem: String?
  private let measuresStatements: Bool
  private let versions: TableVersions
  private let recall = SnapshotRecall()
  let defersReads: Bool

  init(
    path: String,
    migrations: [Migration],
    limits: DatabaseLimits,
    opening: DatabaseOpening,
    commitDurations: Histogram,
    announce: @escaping Database.Announce
  ) throws(DatabaseError) {
    self.path = path
    self.limits = limits
    fileSystem = opening.fileSystem
    measuresStatements = opening.measuresStatements
    defersReads = opening.defersReads
    versions = TableVersions(partitioned: opening.partitionedTables)
    let lastUse = LastUse(of: path)
    try lastUse.requireOwnFiles()
    if let loss = lastUse.loss {
      guard opening.acceptsLostLog else { throw DatabaseError(.logMissing, message: loss) }
      opening.report(loss + " Continuing without them.")
    }
    if let doubt = lastUse.doubt {
      opening.report("Checking all pages of \(path): \(doubt.rawValue).")
      // Before the writer opens the file, which it switches to write-ahead logging.
      let connection = try Connection(path: path, mode: .read, fileSystem: opening.fileSystem)
      try Self.requireSoundPages(of: connection, comparingIndexes: doubt == .logDamaged)
      // `user_version` alone does not tell: other programs have numbers of their own there.
      let foreign = "SELECT count(*) > 0 AND max(name = 'migration') = 0 FROM sqlite_schema"
      guard try connection.int64(of: foreign) == 0 else {
        throw DatabaseError(
          .foreignFile,
          message: "\(path) is a SQLite database of another program: move it away, or choose another folder."
        )
      }
      let version = try connection.int64(of: "PRAGMA user_version")
      guard version <= migrations.count else { throw .newerDatabase(version, supported: migrations.count) }
      // A start that ends before `afterLoss` has run must leave the doubt: its log would look like that of a copy.
      if doubt.canLackCommits, doubt != .unrecorded { try UseRecord.remove(beside: path) }
    }
    queue = WriteQueue(limits)
    let connection = try Connection(
      path: path,
      mode: .write,
      busyTimeout: limits.busyTimeout,
      cacheKibibytes: limits.writerCacheKibibytes,
      fileSystem: opening.fileSystem,
      versions: versions
    )
    let migrator = Migrator(on: connection)
    try migrator.migrate(with: migrations)
    if let doubt = lastUse.doubt, doubt.canLackCommits { try migrator.run(opening.afterLoss) }
    if opening.measuresStatements { connection.measureStatements() }
    health = DatabaseHealth(of: path)
    let environment = Writer.Environment(
      path: path,
      queue: queue,
      end: end,
      limits: limits,
      health: health,
      commitDurations: commitDurations,
      versions: versions,
      recall: recall,
      announce: announce,
      report: opening.report
    )
    try Writer.start(on: connection, in: environment)
  }

  /// - Parameter comparesIndexes: needed if the log is damaged. A checkpoint can have copied pages from behind the
  ///   damage, and SQLite reads older ones from the rest of the log.
  private static func requireSoundPages(
    of connection: Connection,
    comparingIndexes comparesIndexes: Bool
  ) throws(DatabaseError) {
    let faults = try IntegrityCheck.brokenPages(in: connection, comparingIndexes: comparesIndexes)
    guard let first = faults.first else { return }
    throw DatabaseError(
      .corrupt,
      message:
        "it is damaged (\(first)\(faults.count > 1 ? ", and more" : "")). Nothing was written to it. Restore a backup."
    )
  }

  deinit { queue.close() }

  /// The number of writes that wait, without the running group.
  var waitingWrites: Int { queue.count }

  /// - Parameters:
  ///   - isRecalled: Whether its transactions end when the log must be emptied.
  ///   - isCounting: Whether its transactions have `DatabaseLimits.countingSteps`.
  func makeReader(
    isOnLoop: Bool,
    isRecalled: Bool = false,
    isCounting: Bool = false
  ) throws(DatabaseError) -> Reader {
    // Another file with the same name is not this database, and SQLite would create a new log if it found none.
    try health.requireFilesInPlace()
    var limits = limits
    if isCounting { limits.readSteps = limits.countingSteps }
    return try Reader(
      path: path,
      limits: limits,
      isOnLoop: isOnLoop,
      isDeferred: isOnLoop && defersReads,
      versions: isOnLoop && !defersReads ? versions : nil,
      recall: isRecalled ? recall : nil,
      fileSystem: fileSystem,
      health: health,
      measuresStatements: measuresStatements
    )
  }

  /// Throws `overloaded` if the queue, or the write's lane, is full, and `closed` after `close`.
  func enqueue(_ write: PendingWrite) throws(DatabaseError) { try queue.append(write) }

  /// See `Database.writeFailure`. Costs two calls of stat(2).
  var writeFailure: DatabaseError? {
    do throws(DatabaseError) { try health.requireFilesInPlace() } catch { return error }
    return health.failure
  }

  /// Empties the log into the file and closes the writer's connection. Readers should be released before.
  func close() async {
    queue.close()
    await end.wait()
  }
}
