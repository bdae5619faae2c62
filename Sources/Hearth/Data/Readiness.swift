import Logging
import Storage
import Synchronization

/// Whether the server can serve requests, as `/ready` reports: the database file is where it was opened, or the
/// database server answers and has about the same time, writes succeed, and there is free disk space. The state is
/// checked at most once a second, however often it is requested.
final class Readiness: Sendable {
  private struct State {
    var checkedAt: ContinuousClock.Instant?
    var reason: String?
    var isTrying = false
  }

  /// How long a result is valid.
  private static let period = Duration.seconds(1)

  private let database: Database
  /// Nil with SQLite.
  private let heartbeat: Heartbeat?
  private let directory: String
  private let minimumFreeBytes: Int
  private let log: Logger
  private let state = Mutex(State())

  /// - Parameter directory: the data folder.
  init(of database: Database, _ heartbeat: Heartbeat?, in directory: String, minimumFreeBytes: Int, log: Logger) {
    self.database = database
    self.heartbeat = heartbeat
    self.directory = directory
    self.minimumFreeBytes = minimumFreeBytes
    self.log = log
  }

  /// Why the server cannot serve requests, without details that outsiders do not need, or nil if it can. Makes a few
  /// system calls on the calling thread, at most once a second.
  func reason() -> String? {
    state.withLock { state in
      let now = ContinuousClock.now
      if let checkedAt = state.checkedAt, now - checkedAt < Self.period { return state.reason }
      let failure = database.writeFailure
      // While the server reports that it is not ready, load balancers send it no requests, so no write would detect the
      // recovery. This attempts one.
      if failure != nil, !state.isTrying {
        state.isTrying = true
        probeWrite()
      }
      let reason = failure.map(Self.reason) ?? heartbeat?.reason ?? freeSpaceReason()
      if reason != state.reason { report(reason, failure: failure) }
      state.checkedAt = now
      state.reason = reason
      return reason
    }
  }

  private func probeWrite() {
    Task { [self] in
      let isStored = (try? await database.probeWrite()) != nil
      state.withLock { state in
        state.isTrying = false
        if isStored { state.checkedAt = nil }
      }
    }
  }

  private static func reason(of failure: DatabaseError) -> String {
    switch failure.code {
    case .full: "the disk is full"
    case .moved: "the database file was moved or removed"
    case .unreachable, .unknownOutcome: "the database server does not answer"
    case .inUse: "another process uses the database alone"
    default: "the disk rejects writes"
    }
  }

  private func freeSpaceReason() -> String? {
    guard let free = FreeSpace.bytes(in: directory) else { return "the data folder cannot be read" }
    return free < minimumFreeBytes ? "the disk is almost full" : nil
  }

  private func report(_ reason: String?, failure: DatabaseError?) {
    guard let reason else { return log.notice("The server is ready again.") }
    var metadata: Logger.Metadata = ["reason": "\(reason)"]
    if let failure { metadata["error"] = "\(failure)" }
    log.error("The server is not ready.", metadata: metadata)
  }
}
