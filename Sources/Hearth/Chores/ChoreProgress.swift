import GraphQL
import Storage

/// How far a chore is: its status, and who finished and approved it.
struct ChoreProgress: Sendable {
  let key: GlobalID
  let status: ChoreStatus
  let finishedBy: GlobalID?
  let awaitsApproval: Bool
  let isApproved: Bool

  /// Whether an adult did it and no other adult has responded.
  var isDoneByAdult: Bool { status == .done && !isApproved && finishedBy?.kind == .person }

  /// The child whose chore awaits approval, or awaits it again once it is no longer archived.
  var awaitedBy: GlobalID? {
    let awaitsAgain = status == .archived && !isApproved && finishedBy?.kind == .child
    return awaitsApproval || awaitsAgain ? finishedBy : nil
  }

  static let byKey = SQL<ChoreKey>(
    """
    SELECT status, finished_by, awaits_approval, approved_by FROM chore \
    WHERE family_id = \(\.family) AND id = \(\.chore) AND removed_at IS NULL
    """
  )

  /// The family's chore with this key, unless it was removed.
  static func find(
    _ key: GlobalID?,
    of family: GlobalID,
    at field: [String],
    in transaction: WriteTransaction
  ) throws -> ChoreProgress {
    let found = try key.flatMap { key in try find(key, of: family, in: transaction) }
    guard let found else { throw RejectedInput([ChoreRow.notFound(field)]) }
    return found
  }

  /// Returns nil if the family has no such chore.
  static func find(
    _ key: GlobalID,
    of family: GlobalID,
    in transaction: WriteTransaction
  ) throws -> ChoreProgress? {
    try transaction.reader.first(of: byKey, (family: family, chore: key)) { row in ChoreProgress(key, row: row) } ?? nil
  }

  private init?(_ key: GlobalID, row: Row) {
    guard let status = ChoreStatus(stored: row.int64(0)) else { return nil }
    self.key = key
    self.status = status
    finishedBy = row.optionalKey(1)
    awaitsApproval = row.bool(2)
    isApproved = row.optionalInt64(3) != nil
  }
}
