import Synchronization

/// Counts how often connections have waited for answers of the server, for metrics.
package final class RoundTripCounter: Sendable {
  private let counted = Atomic<Int>(0)

  package init() {}

  package var count: Int { counted.load(ordering: .relaxed) }

  func add() { counted.add(1, ordering: .relaxed) }
}
