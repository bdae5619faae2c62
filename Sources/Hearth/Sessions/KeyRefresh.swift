import Synchronization

/// Reads signing keys that another process may have stored: once a second at most, however many forged tokens arrive.
final class KeyRefresh: Sendable {
  private struct State {
    var begunAt: ContinuousClock.Instant?
    /// The read that has not begun.
    var next: Task<Void, any Error>?
    var reads = 0
  }

  private static let interval = Duration.seconds(1)
  private let state = Mutex(State())

  /// How many reads have begun.
  var reads: Int { state.withLock { $0.reads } }

  /// Returns when a read has ended that began after the call. Earlier ones may have missed the key of the caller's
  /// token.
  ///
  /// - Parameter read: called once for all that wait.
  func wait(for read: @escaping @Sendable () async throws -> Void) async throws {
    let next = state.withLock { state in
      if let next = state.next { return next }
      let start = state.begunAt.map { $0 + Self.interval }
      let next = Task { [self] in
        if let start { try? await Task.sleep(until: start, clock: .continuous) }
        self.state.withLock { $0 = State(begunAt: .now, reads: $0.reads + 1) }
        try await read()
      }
      state.next = next
      return next
    }
    try await next.value
  }
}
