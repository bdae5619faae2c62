import Basics
import EventLoop
import GraphQLTransport
import HTTP
import Logging
import Storage

/// The state that all requests of the process share. State of a single feature is a `FeatureService`.
package final class Services: Sendable {
  let core: CoreServices
  let keys: ServerKeys
  let readiness: Readiness
  let outages: OutageLog
  /// Nil with SQLite.
  let heartbeat: Heartbeat?
  package let configuration: Configuration
  let keyRefresh = KeyRefresh()
  let passwords: Passwords
  let sessionViewers = SessionViewers()
  let rateLimits: RateLimits
  let runningRequests = RunningRequests()
  let knownNetworks = KnownNetworks()
  /// The configured providers.
  let identityVerifiers: [IdentityProvider: IdentityVerifier]
  private let sweeper: Sweeper
  let features: FeatureServices
  let slowLane: SlowLane
  /// The streamed resources outside of the GraphQL endpoint, of all features.
  let streams: [Stream]
  typealias Stream = @Sendable (HTTPRequest, EventLoop, Services) -> StreamedResponse?
  let readOnlyMode: ReadOnlyMode
  let responseCacheCounts = ResponseCacheCounts()
  let metrics = Metrics(prefix: "hearth")
  // Requests read these parts of `core`, so they are stored here too.
  let cipher: IdentifierCipher
  let pictures: PictureStore
  let endedSessions: EndedSessions
  let clock: Clock

  var data: ServerData { core.data }
  var mail: MailQueue { core.mail }
  var clockWatch: ClockWatch { core.clockWatch }
  var reminderLateness: Histogram { core.reminderLateness }
  var work: WorkEnvironment { core.work }
  var log: Logger { core.work.log }
  package var database: Database { data.database }
  /// The work of this process.
  var leases: Leases { work.leases }
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
  ///   - declarations: those of all features.
  init(
    directory: String,
    configuration: Configuration,
    version: String,
    log: Logger,
    clock: Clock,
    defersReads: Bool,
    declarations: FeatureDeclarations
  ) async throws {
    self.configuration = configuration
    self.clock = clock
    readOnlyMode = ReadOnlyMode(configuration.isReadOnly)
    streams = declarations.streams
    let data = try await ServerData(
      in: directory,
      configuration,
      defersReads: defersReads,
      cleanings: declarations.cleanings,
      clock: clock,
      log: log
    )
    endedSessions = data.endedSessions
    endedSessions.observe { [sessionViewers] sessions, _ in sessionViewers.forget(sessions ?? []) }
    let database = data.database
    let work = WorkEnvironment(leases: data.leases, database: database, clock: clock, log: log)
    heartbeat = Self.makeHeartbeat(in: work, version: version)
    readiness = Self.makeReadiness(of: data, heartbeat, configuration: configuration, log: log)
    outages = OutageLog(of: database, log: log)
    let clockWatch = ClockWatch(declarations.deadlines, in: work)
    sweeper = Sweeper(declarations.sweeps, in: work, clockWatch: clockWatch)
    slowLane = try SlowLane(database)
    keys = try await ServerKeys(of: data, configuration)
    cipher = keys.cipher
    rateLimits = RateLimits(database.sharedRates.map { [keys] in SharedRateLimits($0, key: keys.identifier) })
    pictures = try Self.makePictures(of: data, signingKey: keys.media, configuration: configuration, log: log)
    core = CoreServices(
      data: data,
      cipher: cipher,
      pictures: pictures,
      mail: MailQueue(laneKey: keys.identifier),
      clockWatch: clockWatch,
      work: work
    )
    features = try FeatureServices(declarations.services, core: core)
    identityVerifiers = try Self.makeIdentityVerifiers(of: configuration)
    passwords = try Passwords(cost: configuration.passwordCost)
    try await pictures.removeFilesWithoutRow(of: database)
  }

  subscript<Value>(_ service: FeatureService<Value>) -> Value { features[service] }

  /// Starts the heartbeat, the schedulers, the sweeper and the watch over the clock.
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
