import CFileStatus
import Logging
import Storage
import Synchronization

/// Whether requests can be served, as `/ready` reports: the database is in its place, writes are stored, and there is
/// room for more. Looked at once a second at most, whoever asks how often.
final class Readiness: Sendable {
  private struct State {
    var lookedAt: ContinuousClock.Instant?
    var reason: String?
    var isTrying = false
  }

  /// For how long a look is good.
  private static let period = Duration.seconds(1)

  private let database: Database
  private let directory: String
  private let minimumFreeBytes: Int
  private let log: Logger
  private let state = Mutex(State())

  /// - Parameter directory: the data directory.
  init(of database: Database, in directory: String, minimumFreeBytes: Int, log: Logger) {
    self.database = database
    self.directory = directory
    self.minimumFreeBytes = minimumFreeBytes
    self.log = log
  }

  /// Why requests cannot be served, without what an outsider need not know; nil where they can. A few system calls on
  /// the calling thread, once a second.
  func reason() -> String? {
    state.withLock { state in
      let now = ContinuousClock.now
      if let lookedAt = state.lookedAt, now - lookedAt < Self.period { return state.reason }
      let failure = database.writeFailure
      // Who asks keeps others from writing, when the server has been taken out of service: so it is tried here.
      if failure != nil, !state.isTrying {
        state.isTrying = true
        probeWrite()
      }
      let reason = failure.map(Self.reason) ?? reasonOfRoom()
      if reason != state.reason { report(reason, failure) }
      state.lookedAt = now
      state.reason = reason
      return reason
    }
  }

  private func probeWrite() {
    Task { [self] in
      let isStored = (try? await database.probeWrite()) != nil
      state.withLock { state in
        state.isTrying = false
        if isStored { state.lookedAt = nil }
      }
    }
  }

  private static func reason(of failure: DatabaseError) -> String {
    switch failure.code {
    case .full: "there is no room on the disk"
    case .moved: "the database file is not in its place"
    default: "the disk does not store what is written"
    }
  }

  private func reasonOfRoom() -> String? {
    var free: UInt64 = 0
    guard file_status_free_bytes(directory, &free) == 0 else { return "the data folder cannot be looked at" }
    return free < UInt64(minimumFreeBytes) ? "there is little room on the disk" : nil
  }

  private func report(_ reason: String?, _ failure: DatabaseError?) {
    guard let reason else { return log.notice("The server is ready again.") }
    var metadata: Logger.Metadata = ["reason": "\(reason)"]
    if let failure { metadata["error"] = "\(failure)" }
    log.error("The server is not ready.", metadata: metadata)
  }
}
