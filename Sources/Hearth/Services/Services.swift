import EventLoop
import Logging
import Storage

/// What every request of the process shares.
package final class Services: Sendable {
  package let database: Database
  package let configuration: Configuration
  let cipher: IdentifierCipher
  let tokens: AccessTokens
  let passwords: Passwords
  let reminders: Scheduler
  /// Of days, weeks and months, for chores that repeat.
  let turns: Scheduler
  let pictures: PictureStore
  let endedSessions = EndedSessions()
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
    database = try UnusableData.naming(DataDirectory.databasePath(in: directory)) { path throws(DatabaseError) in
      try Database(path: path, migrations: Migration.all)
    }
    reminders = ReminderScheduler.make(database, clock: clock, log: log)
    turns = PeriodTurn.scheduler(database, reminders: reminders, clock: clock, log: log)
    let secrets = try await Secrets.load(from: database)
    guard let cipher = IdentifierCipher(secret: secrets.identifierKey) else { throw Secrets.Unusable() }
    self.cipher = cipher
    identifierKey = secrets.identifierKey
    tokens = await AccessTokens(key: secrets.tokenKey, lifetime: configuration.accessTokenLifetime)
    pictures = try PictureStore(directory: directory, signingKey: secrets.mediaKey, configuration)
    passwords = try Passwords(
      cost: configuration.passwordCost,
      threads: configuration.passwordThreads,
      queueLimit: configuration.passwordQueue
    )
    try await pictures.sweep(database)
  }

  package func close() async {
    turns.stop()
    reminders.stop()
    await database.close()
    pictures.stop()
  }
}

extension Migration {
  static let all: [Migration] = [.household, .familyLife, .identity, .pictures, .periods]
}

package enum DataDirectory {
  package static func databasePath(in directory: String) -> String { directory + "/hearth.db" }
  static func mediaPath(in directory: String) -> String { directory + "/media" }
}
