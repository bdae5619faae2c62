import Foundation

/// What `hearth status` reports.
package struct ServerStatus: Codable, Sendable {
  package struct Mails: Codable, Sendable {
    /// Mails that are sent as soon as it is their turn. This number and the next two are nil while the database cannot
    /// be read.
    package let waiting: Int?
    /// Mails that are tried again later.
    package let retrying: Int?
    /// Mails that a server has rejected in the last weeks.
    package let failed: Int?
    /// Why the last mail could not be sent; nil once a mail is sent again.
    package let lastFailure: String?
  }

  /// A channel of notifications.
  package struct Pushes: Codable, Sendable {
    /// `web`, `apple`, `google` or `webhook`.
    package let channel: String
    /// Notifications that are sent as soon as possible, are tried again, or wait for the end of quiet hours. This
    /// number and the next one are nil while the database cannot be read.
    package let waiting: Int?
    /// Notifications that were given up in the last weeks.
    package let failed: Int?
    /// Since the start.
    package let sent: Int
    package let failedAttempts: Int
    package let expiredDevices: Int
    /// Nothing is sent until then, because the service is down.
    package let pausedUntil: Date?
    /// Why the last notification could not be sent; nil once one is sent again.
    package let lastFailure: String?
  }

  package struct Queues: Codable, Sendable {
    package let writes: Int
    package let slowRequests: Int
    package let passwords: Int
    package let mails: Mails
    package let pushes: [Pushes]
  }

  package struct Sizes: Codable, Sendable {
    /// With PostgreSQL it includes the pictures. Nil while the database cannot be read.
    package let database: Int?
    /// The write-ahead log of SQLite; 0 with PostgreSQL.
    package let log: Int
    /// Nil while the database cannot be read.
    package let pictures: Int?
    /// On the disk of the data folder.
    package let free: Int
  }

  /// A process that uses the same PostgreSQL database.
  package struct ServingProcess: Codable, Sendable {
    package let version: String
    package let host: String
    /// The number of the process in the operating system.
    package let process: Int
    package let startedAt: Date
    /// The work that it does for all of them, such as `reminders` and `mail`.
    package let leases: [String]
    /// Whether it is the one that reports.
    package let isThis: Bool
  }

  package let version: String
  package let process: Int
  package let startedAt: Date
  package let uptimeSeconds: Int
  package let endpoint: String
  package let dataFolder: String
  /// `ready`, or why the server is not.
  package let health: String
  package let isReadOnly: Bool
  package let connections: Int
  package let webSockets: Int
  package let eventStreams: Int
  package let subscriptions: Int
  /// This number and the next one are nil while the database cannot be read.
  package let families: Int?
  package let accounts: Int?
  package let queues: Queues
  package let bytes: Sizes
  /// When `hearth backup` last succeeded; nil if that is not known, as with PostgreSQL, whose own tools copy it.
  package let lastBackup: Date?
  /// In the order of their starts; empty with SQLite, and while the database cannot be read.
  package let processes: [ServingProcess]
}
