import Synchronization

/// The number of contexts in memory, and the most that there were at once.
final class ContextCount: Sendable {
  private let counts = Mutex((now: 0, most: 0))

  var most: Int { counts.withLock { $0.most } }

  func add(_ difference: Int) {
    counts.withLock { counts in
      counts.now += difference
      counts.most = max(counts.most, counts.now)
    }
  }
}
