import Synchronization

/// Counts how often connections have waited for answers of the server, and the statements that they have sent, for
/// metrics.
package final class RoundTripCounter: Sendable {
  private let counted = Atomic<Int>(0)
  private let countedStatements = Atomic<Int>(0)

  package init() {}

  package var count: Int { counted.load(ordering: .relaxed) }

  package var statements: Int { countedStatements.load(ordering: .relaxed) }

  func add() { counted.add(1, ordering: .relaxed) }

  func add(statements: Int) { countedStatements.add(statements, ordering: .relaxed) }
}
