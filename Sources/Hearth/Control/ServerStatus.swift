import EventLoop
import Foundation
import Glibc
import GraphQLTransport
import Storage

/// `hearth status`
package struct ServerStatus: OperatorCommand, ServedCommand {
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

  package struct Response: Codable, Sendable {
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

  package static let words = "status"

  package init() {}

  func run(on server: ControlledServer) async throws -> Response {
    let services = server.services
    var counts: DataCounts?
    var failure: DatabaseError?
    do {
      counts = try await server.read { try DataCounts($0) }
    } catch let error as DatabaseError {
      failure = error
    }
    let readiness = services.readiness
    let health = try await server.worker.run { readiness.reason() } ?? Self.health(after: failure)
    return Response(
      version: server.version,
      process: Int(getpid()),
      startedAt: server.startedAt,
      uptimeSeconds: Int(Date().timeIntervalSince(server.startedAt)),
      endpoint: server.endpoint,
      dataFolder: URL(fileURLWithPath: server.directory).standardizedFileURL.path,
      health: health,
      isReadOnly: services.readOnlyMode.isOn,
      connections: server.connections(),
      webSockets: server.live[.webSockets],
      eventStreams: server.live[.eventStreams],
      subscriptions: server.live[.subscriptions],
      families: counts?.families,
      accounts: counts?.accounts,
      queues: Queues(
        writes: services.database.waitingWrites,
        slowRequests: services.slowLane.waitingCount,
        passwords: services.passwords.waitingCount,
        mails: Mails(
          waiting: counts?.waitingMails,
          retrying: counts?.retriedMails,
          failed: counts?.failedMails,
          lastFailure: server.mail.lastFailure
        ),
        pushes: server.pushes.overview(counts)
      ),
      bytes: Sizes(
        database: counts?.databaseBytes,
        log: DataFiles.logBytes(in: server.directory),
        pictures: counts?.pictureBytes,
        free: DataFiles.freeBytes(in: server.directory)
      ),
      lastBackup: LastBackup.date(in: server.directory),
      processes: await Self.processes(failure == nil ? services.heartbeat : nil)
    )
  }

  /// What a server is that reports no other reason.
  ///
  /// - Parameter failure: why the database could not be counted. A server finds out after some seconds that its
  ///   database does not answer.
  private static func health(after failure: DatabaseError?) -> String {
    switch failure?.code {
    // Counting has a limit of its own.
    case nil, .budgetExceeded, .tooSlow: "ready"
    case .unreachable, .unknownOutcome: "the database server does not answer"
    default: "the database cannot be read"
    }
  }

  private static func processes(_ heartbeat: Heartbeat?) async -> [ServingProcess] {
    guard let heartbeat, let entries = try? await heartbeat.entries() else { return [] }
    return entries.map { entry in
      ServingProcess(
        version: entry.member.version,
        host: entry.member.host,
        process: Int(entry.member.number),
        startedAt: Date(milliseconds: entry.startedAt),
        leases: entry.leases,
        isThis: entry.member.id == heartbeat.id
      )
    }
  }
}
