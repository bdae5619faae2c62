import GraphQL
import Storage

/// How far a chore is: its status, and who finished and approved it.
struct ChoreProgress: Sendable {
  let key: GlobalID
  let status: ChoreStatus
  let finishedBy: GlobalID?
  let isApproved: Bool

  /// Whether an adult did it and no other adult has responded.
  var isDoneByAdult: Bool { status == .done && !isApproved && finishedBy?.kind == .person }

  /// The child whose chore awaits approval, or awaits it again once it is no longer archived.
  var awaitedBy: GlobalID? {
    status != .open && !isApproved && finishedBy?.kind == .child ? finishedBy : nil
  }

  /// The column `awaits_approval`, which lists of chores filter by.
  var awaitsApproval: Bool { status == .done && awaitedBy != nil }

  static let byKey = SQL<ChoreKey>(
    """
    SELECT status, finished_by, approved_by FROM chore \
    WHERE family_id = \(\.family) AND id = \(\.chore) AND removed_at IS NULL
    """
  )

  /// The family's chore with this key, unless it was removed.
  static func find(
    _ key: GlobalID?,
    of family: GlobalID,
    at field: [String],
    from reader: Reader
  ) throws -> ChoreProgress {
    let found = try key.flatMap { key in try find(key, of: family, from: reader) }
    guard let found else { throw RejectedInput([Chore.notFound(field)]) }
    return found
  }

  /// Returns nil if the family has no such chore.
  static func find(_ key: GlobalID, of family: GlobalID, from reader: Reader) throws -> ChoreProgress? {
    try reader.first(of: byKey, (family: family, chore: key)) { row in ChoreProgress(key, row: row) } ?? nil
  }

  private init?(_ key: GlobalID, row: Row) {
    guard let status = ChoreStatus(stored: row.int64(0)) else { return nil }
    self.key = key
    self.status = status
    finishedBy = row.optionalKey(1)
    isApproved = row.optionalInt64(2) != nil
  }
}
