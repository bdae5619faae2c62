import EventLoop
import Logging
import Storage

/// What every request of the process shares.
package final class Services: Sendable {
  private let folder: DataDirectory
  let readiness: Readiness
  package let database: Database
  let feed: Feed
  package let configuration: Configuration
  let cipher: IdentifierCipher
  let tokens: AccessTokens
  let refreshTokenKey: RefreshToken.Key
  let passwords: Passwords
  let reminders: Scheduler
  /// Of days, weeks and months, for chores that repeat.
  let turns: Scheduler
  /// Of parents from families.
  let parentRemovals: Scheduler
  let departure: FamilyDeparture
  let pictures: PictureStore
  let addressBooks: AddressBookMatching
  let endedSessions: EndedSessions
  let refreshOverlap = RefreshOverlap()
  let rateLimits = RateLimits()
  let knownNetworks = KnownNetworks()
  /// Those that are set up.
  let identityVerifiers: [IdentityProvider: IdentityVerifier]
  private let sweeper: Sweeper
  let slowLane: SlowLane
  let mail = MailQueue()
  /// For what is made from a secret of the data directory and may be seen.
  let identifierKey: [UInt8]
  let clock: Clock
  let log: Logger

  /// Opens the data in `directory`, or makes it. Blocks: at start only.
  package convenience init(directory: String, configuration: Configuration, log: Logger) async throws {
    try await self.init(directory: directory, configuration: configuration, log: log, clock: .system)
  }

  init(directory: String, configuration: Configuration, log: Logger, clock: Clock) async throws {
    self.configuration = configuration
    self.log = log
    self.clock = clock
    folder = try DataDirectory(directory)
    PrivateFiles.tighten(in: directory, log: log)
    let feed = Feed()
    self.feed = feed
    database = try UnusableData.naming(DataDirectory.databasePath(in: directory)) { path throws(DatabaseError) in
      var opening = DatabaseOpening()
      opening.acceptsLostLog = configuration.acceptsLostLog
      opening.report = { log.warning("\($0)") }
      return try Database(
        path: path,
        migrations: Migration.all,
        limits: configuration.database,
        opening: opening,
        announce: feed.announce
      )
    }
    readiness = Readiness(
      of: database,
      in: directory,
      minimumFreeBytes: configuration.minimumFreeBytes,
      log: log
    )
    reminders = ReminderScheduler.make(database, clock: clock, log: log)
    turns = PeriodTurn.scheduler(database, reminders: reminders, clock: clock, log: log)
    sweeper = Sweeper(database, clock: clock, log: log)
    slowLane = try SlowLane(database)
    addressBooks = try AddressBookMatching(database)
    endedSessions = EndedSessions(kept: configuration.accessTokenLifetime * 1000)
    departure = FamilyDeparture(endedSessions: endedSessions, clock: clock)
    parentRemovals = ParentRemoval.scheduler(database, departure, mail, clock: clock, log: log)
    identityVerifiers = try Dictionary(
      uniqueKeysWithValues: configuration.identityProviders.compactMap { provider, settings in
        try IdentityVerifier(provider, settings).map { (provider, $0) }
      }
    )
    let secrets = try await Secrets.load(from: database)
    guard let cipher = IdentifierCipher(secret: secrets.identifierKey) else { throw Secrets.Unusable() }
    self.cipher = cipher
    identifierKey = secrets.identifierKey
    tokens = await AccessTokens(key: secrets.tokenKey, cipher, lifetime: configuration.accessTokenLifetime)
    refreshTokenKey = RefreshToken.Key(secrets.refreshTokenKey)
    pictures = try PictureStore(directory: directory, signingKey: secrets.mediaKey, configuration)
    passwords = try Passwords(
      cost: configuration.passwordCost,
      threads: configuration.passwordThreads,
      queueLimit: configuration.passwordQueue
    )
    try await pictures.sweep(database)
  }

  /// Begins with what has to be done from time to time.
  func start() {
    reminders.start()
    turns.start()
    parentRemovals.start()
    sweeper.start()
  }

  package func close() async {
    parentRemovals.stop()
    turns.stop()
    reminders.stop()
    await sweeper.stop()
    slowLane.stop()
    await database.close()
    pictures.stop()
    folder.release()
  }
}

extension Migration {
  static let all: [Migration] = [
    .household, .familyLife, .identity, .pictures, .periods, .identityProviders, .contactBook, .search, .feed,
    .rejections, .consent, .feedWindows, .familyBeginnings, .sessionOrigins, .mailLanes, .groupAccess, .familyParting,
  ]
}
