import Synchronization

/// Whether a PostgreSQL server answers and stores writes, as its connections have found.
final class ServerHealth: Sendable {
  /// What has found it.
  enum Source: Hashable, Sendable {
    /// The connection for writing.
    case writes
    /// Reads, and statements that are transactions of their own (`SingleStatements`). Their success does not tell that
    /// writes are stored.
    case others
  }

  private struct State {
    /// The last error of each source that has not succeeded since.
    var failures: [Source: DatabaseError] = [:]
    /// When the server last answered a connection that writes, or was asked.
    var askedAt = ContinuousClock.now
  }

  private static let probeInterval = Duration.seconds(1)

  private let state = Mutex(State())

  /// Why the last write failed; otherwise why something else did. Nil if both have succeeded since, or a write has.
  var failure: DatabaseError? { state.withLock { $0.failures[.writes] ?? $0.failures[.others] } }

  func note(_ error: DatabaseError, of source: Source) {
    switch error.code {
    case .unreachable, .unknownOutcome, .full, .inputOutput, .inUse: state.withLock { $0.failures[source] = error }
    default: break
    }
  }

  /// Forgets what failed before: everything if a write has succeeded, and nothing of the writes otherwise.
  func noteSuccess(of source: Source) {
    state.withLock { state in
      switch source {
      case .writes: state.failures.removeAll()
      case .others: state.failures[.others] = nil
      }
      state.askedAt = .now
    }
  }

  /// Notes that the server is being asked, if it is not known to fail and has not been asked for a second.
  ///
  /// - Returns: whether the caller has to ask it.
  func beginProbeIfDue() -> Bool {
    state.withLock { state in
      let now = ContinuousClock.now
      guard state.failures.isEmpty, now - state.askedAt >= Self.probeInterval else { return false }
      state.askedAt = now
      return true
    }
  }
}
