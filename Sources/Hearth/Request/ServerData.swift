import Logging
import Storage

/// The data of a server: the locked folder, and the database with what its commits reach.
struct ServerData: Sendable {
  let directory: String
  let folder: DataDirectory
  let erasureRecord: ErasureRecord
  /// Nil if no other process can write.
  let follower: ChangeFollower?
  let endedSessions: EndedSessions
  let feed: Feed
  let pushes = PushQueue()
  let database: Database
  /// The work of this process.
  let leases: Leases

  /// Deletes files that are not needed any more from a data folder.
  typealias Cleaning = @Sendable (_ directory: String, _ now: Int64) -> Void

  /// Opens the data in `directory`, or creates it.
  ///
  /// - Parameters:
  ///   - defersReads: whether requests read in passes, though the database could answer at once.
  ///   - cleanings: those of all features.
  init(
    in directory: String,
    _ configuration: Configuration,
    defersReads: Bool,
    cleanings: [Cleaning],
    clock: Clock,
    log: Logger
  ) async throws {
    self.directory = directory
    folder = try DataDirectory(
      directory,
      usesPostgreSQL: configuration.databaseURL != nil,
      hasPictures: MediaFolder.hasFiles
    )
    PrivateFiles.tighten(in: directory, log: log)
    let now = clock.now()
    for clean in cleanings { clean(directory, now) }
    erasureRecord = ErasureRecord(in: directory)
    let follower = configuration.databaseURL.map { _ in ChangeFollower(log: log) }
    self.follower = follower
    endedSessions = EndedSessions(kept: configuration.accessTokenLifetime * 1000, clock: clock, follower: follower)
    let feed = Feed(follower: follower)
    self.feed = feed
    let announce: Database.Announce = { [endedSessions, pushes] announcements in
      // Before the events, so that no loop delivers one to a session that the same commit has ended.
      endedSessions.noteCommitted(announcements)
      feed.announce(announcements)
      pushes.noteCommitted(announcements)
    }
    database = try await Self.openDatabase(
      in: directory,
      configuration,
      defersReads: defersReads,
      follower: follower,
      log: log,
      announce: announce
    )
    follower?.attach(database)
    leases = Leases(areShared: database.processTable != nil)
  }
}
