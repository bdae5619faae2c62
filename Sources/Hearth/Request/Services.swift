import Basics
import EventLoop
import GraphQLTransport
import HTTP
import Logging
import Storage

/// The state that all requests of the process share. State of a single feature is a `FeatureService`.
package final class Services: Sendable {
  private let folder: DataDirectory
  let readiness: Readiness
  let outages: OutageLog
  package let database: Database
  /// The work of this process.
  let leases: Leases
  /// Nil with SQLite.
  let heartbeat: Heartbeat?
  let feed: Feed
  package let configuration: Configuration
  let cipher: IdentifierCipher
  let tokens: AccessTokens
  let keyRefresh = KeyRefresh()
  let refreshTokenKey: RefreshToken.Key
  let passwords: Passwords
  let pictures: PictureStore
  let erasureRecord: ErasureRecord
  let endedSessions: EndedSessions
  let sessionViewers = SessionViewers()
  let rateLimits: RateLimits
  let runningRequests = RunningRequests()
  let knownNetworks = KnownNetworks()
  /// The configured providers.
  let identityVerifiers: [IdentityProvider: IdentityVerifier]
  private let sweeper: Sweeper
  /// Nil if no other process can write.
  let follower: ChangeFollower?
  let features: FeatureServices
  let slowLane: SlowLane
  /// The streamed resources outside of the GraphQL endpoint, of all features.
  let streams: [Stream]
  typealias Stream = @Sendable (HTTPRequest, EventLoop, Services) -> StreamedResponse?
  let mail: MailQueue
  let pushes = PushQueue()
  let pushKey: PushKey
  let readOnlyMode: ReadOnlyMode
  /// How long after its time a reminder became due.
  let reminderLateness = Histogram([0.5, 1, 2, 5, 10, 30, 60, 300, 1_800, 3_600, 86_400])
  let responseCacheCounts = ResponseCacheCounts()
  /// For values that are derived from a secret of the data folder and may be public.
  let identifierKey: [UInt8]
  let clock: Clock
  let log: Logger

  /// Opens the data in `directory`, or creates it. Blocks, so it must not be called on an event loop.
  ///
  /// - Parameters:
  ///   - version: the program's version, shown to other processes.
  ///   - defersReads: whether requests read in passes, though the database could answer at once. For tests.
  ///   - sweeps: the sweeps of all features.
  ///   - streams: the streamed resources of all features.
  ///   - featureServices: the services of all features. A service is created after those before it.
  init(
    directory: String,
    configuration: Configuration,
    version: String,
    log: Logger,
    clock: Clock,
    defersReads: Bool,
    sweeps: [Sweep],
    streams: [Stream],
    featureServices: [any AnyFeatureService]
  ) async throws {
    self.configuration = configuration
    self.log = log
    self.clock = clock
    readOnlyMode = ReadOnlyMode(configuration.isReadOnly)
    self.streams = streams
    folder = try DataDirectory(
      directory,
      hasServerDatabase: configuration.databaseURL != nil,
      hasPictures: MediaFolder.hasFiles
    )
    PrivateFiles.tighten(in: directory, log: log)
    erasureRecord = ErasureRecord(in: directory)
    follower = configuration.databaseURL.map { _ in ChangeFollower(log: log) }
    let feed = Feed(follower: follower)
    self.feed = feed
    endedSessions = EndedSessions(kept: configuration.accessTokenLifetime * 1000, follower: follower)
    endedSessions.observe { [sessionViewers] sessions, _ in sessionViewers.forget(sessions) }
    let pushes = pushes
    let announce: Database.Announce = { announcements in
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
    heartbeat = Self.heartbeat(of: database, version: version, leases: leases, clock: clock, log: log)
    readiness = Readiness(
      of: database,
      heartbeat,
      in: directory,
      minimumFreeBytes: configuration.minimumFreeBytes,
      log: log
    )
    outages = OutageLog(of: database, log: log)
    sweeper = Sweeper(database, leases: leases, sweeps: sweeps, clock: clock, log: log)
    slowLane = try SlowLane(database)
    let secrets = try await Secrets.load(from: database)
    if configuration.databaseURL != nil { try ServerDatabaseMark.note(secrets.mediaKey, in: directory) }
    guard let cipher = IdentifierCipher(secret: secrets.identifierKey) else { throw Secrets.Unusable() }
    self.cipher = cipher
    identifierKey = secrets.identifierKey
    mail = MailQueue(laneKey: secrets.identifierKey)
    rateLimits = RateLimits(database.sharedRates.map { SharedRateLimits($0, key: secrets.identifierKey) })
    tokens = await AccessTokens(secrets.tokenKeys, cipher: cipher, lifetime: configuration.accessTokenLifetime)
    refreshTokenKey = RefreshToken.Key(secrets.refreshTokenKey)
    pushKey = try PushKey(secrets.pushKey)
    pictures = try PictureStore(
      directory: directory,
      databaseContents: configuration.databaseURL == nil ? nil : PictureContents(database),
      signingKey: secrets.mediaKey,
      configuration,
      log: log,
      follower: follower
    )
    var features = FeatureServices(
      directory: directory,
      database: database,
      leases: leases,
      pictures: pictures,
      erasureRecord: erasureRecord,
      mail: mail,
      endedSessions: endedSessions,
      clock: clock,
      log: log,
      reminderLateness: reminderLateness
    )
    for service in featureServices { try service.add(to: &features) }
    self.features = features
    identityVerifiers = try Self.identityVerifiers(of: configuration)
    passwords = try Passwords(
      cost: configuration.passwordCost,
      threads: configuration.passwordThreads,
      queueLimit: configuration.passwordQueue
    )
    try await pictures.removeFilesWithoutRow(of: database)
  }

  subscript<Value>(_ service: FeatureService<Value>) -> Value { features[service] }

  /// Starts the schedulers and the sweeper.
  func start() async {
    await heartbeat?.start()
    for scheduler in features.schedulers { scheduler.start() }
    sweeper.start()
  }

  package func close() async {
    for scheduler in features.schedulers.reversed() { scheduler.stop() }
    await sweeper.stop()
    await heartbeat?.stop()
    slowLane.stop()
    follower?.stop()
    feed.endFollowing()
    await database.close()
    pictures.stop()
    folder.release()
  }
}
