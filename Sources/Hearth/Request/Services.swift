import Basics
import EventLoop
import GraphQLTransport
import HTTP
import Logging
import Storage

/// The state that all requests of the process share. State of a single feature is a `FeatureService`.
package final class Services: Sendable {
  let data: ServerData
  let keys: ServerKeys
  let cipher: IdentifierCipher
  let readiness: Readiness
  let outages: OutageLog
  /// Nil with SQLite.
  let heartbeat: Heartbeat?
  package let configuration: Configuration
  let keyRefresh = KeyRefresh()
  let passwords: Passwords
  let pictures: PictureStore
  let endedSessions: EndedSessions
  let sessionViewers = SessionViewers()
  let rateLimits: RateLimits
  let runningRequests = RunningRequests()
  let knownNetworks = KnownNetworks()
  /// The configured providers.
  let identityVerifiers: [IdentityProvider: IdentityVerifier]
  let clockWatch: ClockWatch
  private let sweeper: Sweeper
  let features: FeatureServices
  let slowLane: SlowLane
  /// The streamed resources outside of the GraphQL endpoint, of all features.
  let streams: [Stream]
  typealias Stream = @Sendable (HTTPRequest, EventLoop, Services) -> StreamedResponse?
  let mail: MailQueue
  let readOnlyMode: ReadOnlyMode
  /// How long after its time a reminder became due.
  let reminderLateness = Histogram([0.5, 1, 2, 5, 10, 30, 60, 300, 1_800, 3_600, 86_400])
  let responseCacheCounts = ResponseCacheCounts()
  let metrics = Metrics(prefix: "hearth")
  let clock: Clock
  let log: Logger

  package var database: Database { data.database }
  /// The work of this process.
  var leases: Leases { data.leases }
  var feed: Feed { data.feed }
  /// Nil if no other process can write.
  var follower: ChangeFollower? { data.follower }
  var erasureRecord: ErasureRecord { data.erasureRecord }
  var pushes: PushQueue { data.pushes }
  var tokens: AccessTokens { keys.tokens }

  /// Opens the data in `directory`, or creates it. Blocks, so it must not be called on an event loop.
  ///
  /// - Parameters:
  ///   - version: the program's version, shown to other processes.
  ///   - defersReads: whether requests read in passes, though the database could answer at once. For tests.
  ///   - cleanings: what all features delete from the data folder before the database is opened.
  ///   - sweeps: the sweeps of all features.
  ///   - deadlines: the deadlines of all features that a wrong clock must not fulfil.
  ///   - streams: the streamed resources of all features.
  ///   - featureServices: the services of all features. A service is created after those before it.
  init(
    directory: String,
    configuration: Configuration,
    version: String,
    log: Logger,
    clock: Clock,
    defersReads: Bool,
    cleanings: [ServerData.Cleaning],
    sweeps: [Sweep],
    deadlines: [MovableDeadlines],
    streams: [Stream],
    featureServices: [any AnyFeatureService]
  ) async throws {
    self.configuration = configuration
    self.log = log
    self.clock = clock
    readOnlyMode = ReadOnlyMode(configuration.isReadOnly)
    self.streams = streams
    data = try await ServerData(
      in: directory,
      configuration,
      defersReads: defersReads,
      cleanings: cleanings,
      at: clock.now(),
      log: log
    )
    endedSessions = EndedSessions(kept: configuration.accessTokenLifetime * 1000, follower: data.follower)
    endedSessions.observe { [sessionViewers] sessions, _ in sessionViewers.forget(sessions) }
    let (database, leases) = (data.database, data.leases)
    heartbeat = Self.heartbeat(of: database, version: version, leases: leases, clock: clock, log: log)
    readiness = Self.readiness(of: data, heartbeat, configuration: configuration, log: log)
    outages = OutageLog(of: database, log: log)
    clockWatch = ClockWatch(database, leases: leases, deadlines: deadlines, clock: clock, log: log)
    sweeper = Sweeper(database, leases: leases, sweeps: sweeps, clock: clock, clockWatch: clockWatch, log: log)
    slowLane = try SlowLane(database)
    keys = try await ServerKeys(of: data, configuration)
    cipher = keys.cipher
    mail = MailQueue(laneKey: keys.identifier)
    rateLimits = RateLimits(database.sharedRates.map { [keys] in SharedRateLimits($0, key: keys.identifier) })
    pictures = try Self.pictures(of: data, signingKey: keys.media, configuration: configuration, log: log)
    features = try FeatureServices(
      featureServices,
      data: data,
      cipher: cipher,
      pictures: pictures,
      mail: mail,
      endedSessions: endedSessions,
      clock: clock,
      clockWatch: clockWatch,
      log: log,
      reminderLateness: reminderLateness
    )
    identityVerifiers = try Self.identityVerifiers(of: configuration)
    passwords = try Self.passwords(configuration)
    try await pictures.removeFilesWithoutRow(of: database)
  }

  subscript<Value>(_ service: FeatureService<Value>) -> Value { features[service] }

  /// Starts the schedulers, the sweeper and the watch over the clock.
  func start() async {
    await heartbeat?.start()
    for scheduler in features.schedulers { scheduler.start() }
    sweeper.start()
    clockWatch.start()
  }

  package func close() async {
    for scheduler in features.schedulers.reversed() { scheduler.stop() }
    await sweeper.stop()
    await clockWatch.stop()
    await heartbeat?.stop()
    slowLane.stop()
    follower?.stop()
    feed.endFollowing()
    await database.close()
    pictures.stop()
    data.folder.release()
  }
}
