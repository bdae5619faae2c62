import PostgreSQL

/// Removes the changes of partitions that are older than an hour. Responses of that age are executed again.
final class PartitionChangeSweep {
  /// The time between two sweeps.
  static let interval = Duration.seconds(300)
  /// The number of sweeps for which changes are kept: those of an hour.
  static let keptSweeps = 12

  private let statements: SingleStatements
  /// The oldest transaction at each of the last sweeps.
  private var oldest: [String] = []
  private var hasBegun = false

  init(with statements: SingleStatements) { self.statements = statements }

  /// Removes the changes that a restored backup contains of another server. Each sweep begins with it until it
  /// succeeds.
  func begin() async throws(DatabaseError) {
    guard !hasBegun else { return }
    try await statements.run(PartitionChangeTable.removeUnknown, ParameterBuffer(), isRepeatable: true) { _ in }
    hasBegun = true
  }

  func sweep() async throws(DatabaseError) {
    try await begin()
    let transaction = try await statements.run(
      PartitionChangeTable.oldestTransaction,
      ParameterBuffer(),
      isRepeatable: true
    ) { rows in rows.text(0, 0) }
    oldest.append(transaction)
    guard oldest.count > Self.keptSweeps else { return }
    try await remove(before: oldest.removeFirst())
  }

  private func remove(before transaction: String) async throws(DatabaseError) {
    let parameters = ParameterBuffer(transaction)
    try await statements.run(PartitionChangeTable.forgetVersions, parameters, isRepeatable: true) { _ in }
    // In parts, between which other statements of the connection are executed.
    var removed = 0
    repeat {
      removed = try await statements.run(PartitionChangeTable.removeChanges, parameters, isRepeatable: true) { rows in
        rows.changedRows
      }
    } while removed == PartitionChangeTable.removedAtOnce
  }
}
