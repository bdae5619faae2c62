import EventLoop
import Foundation
import Glibc
import GraphQLTransport
import Storage

/// `hearth status`
package struct StatusRequest: OperatorCommand, ServedCommand {
  package typealias Response = ServerStatus

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
    return ServerStatus(
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
      queues: ServerStatus.Queues(
        writes: services.database.waitingWrites,
        slowRequests: services.slowLane.waitingCount,
        passwords: services.passwords.waitingCount,
        mails: ServerStatus.Mails(
          waiting: counts?.waitingMails,
          retrying: counts?.retriedMails,
          failed: counts?.failedMails,
          lastFailure: server.mail.lastFailure
        ),
        pushes: server.pushes.overview(counts)
      ),
      bytes: ServerStatus.Sizes(
        database: counts?.databaseBytes,
        log: DataFile.log.byteCount(in: server.directory),
        pictures: counts?.pictureBytes,
        free: FreeSpace.bytes(in: server.directory) ?? 0
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

  private static func processes(_ heartbeat: Heartbeat?) async -> [ServerStatus.ServingProcess] {
    guard let heartbeat, let entries = try? await heartbeat.entries() else { return [] }
    return entries.map { entry in
      ServerStatus.ServingProcess(
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
