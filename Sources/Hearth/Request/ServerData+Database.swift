import GraphQLTransport
import Logging
import Storage

extension ServerData {
  /// Opens the PostgreSQL database of the configuration; without one, the SQLite file in the data folder.
  static func openDatabase(
    in directory: String,
    _ configuration: Configuration,
    defersReads: Bool,
    follower: ChangeFollower?,
    log: Logger,
    announce: @escaping Database.Announce
  ) async throws -> Database {
    guard let url = configuration.databaseURL else {
      return try openFile(in: directory, configuration, defersReads: defersReads, log, announce: announce)
    }
    return try await open(url, besideFilesIn: directory, configuration, follower: follower, log, announce: announce)
  }

  /// Opens the SQLite file in the data folder, or creates it.
  private static func openFile(
    in directory: String,
    _ configuration: Configuration,
    defersReads: Bool,
    _ log: Logger,
    announce: @escaping Database.Announce
  ) throws(UnusableData) -> Database {
    try UnusableData.naming(DataDirectory.databasePath(in: directory)) { path throws(DatabaseError) in
      var opening = DatabaseOpening()
      opening.acceptsLostLog = configuration.acceptsLostLog
      opening.afterLoss = LostNumbers.statements
      opening.measuresStatements = configuration.measuresStatements
      opening.defersReads = defersReads
      // Only kept responses use the versions of partitions, which cost the writer time.
      if configuration.responseCacheBytes > 0 { opening.partitionedTables = PartitionedTable.owned }
      opening.report = { log.warning("\($0)") }
      return try Database(
        path: path,
        migrations: Migration.all,
        limits: configuration.databaseLimits,
        opening: opening,
        announce: announce
      )
    }
  }

  /// Opens a PostgreSQL database, or creates the schema in an empty one.
  private static func open(
    _ url: String,
    besideFilesIn directory: String,
    _ configuration: Configuration,
    follower: ChangeFollower?,
    _ log: Logger,
    announce: @escaping Database.Announce
  ) async throws -> Database {
    let server = try PostgreSQLDatabase(
      url: url,
      schema: .ofProduct,
      migrations: Migration.all,
      allowsUnsafeSettings: configuration.allowsUnsafeDatabase
    ) { isEmpty in
      let hasPictures = MediaFolder.hasFiles(DataDirectory.mediaPath(in: directory))
      if isEmpty { try PostgreSQLFolderMark.requireNoPictures(in: directory, hasPictures: hasPictures) }
    }
    do {
      return try await Database(
        server,
        limits: configuration.databaseLimits,
        measuresStatements: configuration.measuresStatements,
        hasVersions: configuration.responseCacheBytes > 0,
        hinted: configuration.databaseHints == .notify ? follower?.receive : nil,
        report: { log.warning("\($0)") },
        announce: announce
      )
    } catch let error as DatabaseError {
      throw UnusableData(at: "of HEARTH_DATABASE_URL", error)
    }
  }
}
