import Synchronization

/// Whether a PostgreSQL server answers, as its connections have found.
final class ServerHealth: Sendable {
  private struct State {
    var failure: DatabaseError?
    /// When the server last answered a connection that writes, or was asked.
    var askedAt = ContinuousClock.now
  }

  private static let probeInterval = Duration.seconds(1)

  private let state = Mutex(State())

  /// Why the last write or read failed; nil if a later one has succeeded.
  var failure: DatabaseError? { state.withLock { $0.failure } }

  func note(_ error: DatabaseError) {
    switch error.code {
    case .unreachable, .unknownOutcome, .full, .inputOutput, .inUse: state.withLock { $0.failure = error }
    default: break
    }
  }

  func noteSuccess() {
    state.withLock { state in
      state.failure = nil
      state.askedAt = .now
    }
  }

  /// Notes that the server is being asked, if it is not known to fail and has not been asked for a second.
  ///
  /// - Returns: whether the caller has to ask it.
  func beginProbeIfDue() -> Bool {
    state.withLock { state in
      let now = ContinuousClock.now
      guard state.failure == nil, now - state.askedAt >= Self.probeInterval else { return false }
      state.askedAt = now
      return true
    }
  }
}
