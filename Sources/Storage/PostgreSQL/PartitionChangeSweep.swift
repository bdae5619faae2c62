import PostgreSQL

/// Removes the changes of partitions that are older than an hour. Responses of that age are executed again.
final class PartitionChangeSweep {
  /// How often `sweep` is called until a change is removed.
  static let sweeps = 12

  private let statements: SingleStatements
  /// The oldest transaction at each of the last sweeps.
  private var oldest: [String] = []

  init(with statements: SingleStatements) { self.statements = statements }

  /// Call it once before the first `sweep`.
  func begin() async throws(DatabaseError) {
    try await statements.run(PartitionChangeTable.removeUnknown, ParameterBuffer()) { _ in }
  }

  func sweep() async throws(DatabaseError) {
    let transaction = try await statements.run(PartitionChangeTable.oldestTransaction, ParameterBuffer()) { rows in
      rows.text(0, 0)
    }
    oldest.append(transaction)
    guard oldest.count > Self.sweeps else { return }
    try await remove(before: oldest.removeFirst())
  }

  private func remove(before transaction: String) async throws(DatabaseError) {
    var parameters = ParameterBuffer()
    parameters.append(transaction)
    try await statements.run(PartitionChangeTable.forgetVersions, parameters) { _ in }
    // In parts, between which other statements of the connection are executed.
    var removed = 0
    repeat {
      removed = try await statements.run(PartitionChangeTable.removeChanges, parameters) { $0.changedRows }
    } while removed == PartitionChangeTable.removedAtOnce
  }
}
