import Storage

/// A row of `group_exclusion`: a person who cannot join a group unless an admin invites them. Either they were removed
/// from it, or an admin rejected their request, which lasts 30 days. The row is deleted when they become a member, so
/// that they are still excluded if the invitation is withdrawn or declined.
struct GroupExclusion: StoredRow {
  var group: GlobalID
  var person: GlobalID
  var isRemoval: Bool
  var excludedAt: Timestamp

  static let table = Table<GroupExclusion>(
    "group_exclusion",
    [
      Column("group_id", \.group),
      Column("person_id", \.person),
      Column("is_removal", \.isRemoval),
      Column("excluded_at", \.excludedAt),
    ]
  )

  /// How long a rejection lasts, in milliseconds. The sweeper deletes older ones.
  static let rejectionLifetime = Sweeper.retention

  /// A removal stays a removal if a later request is rejected.
  static let insert = GroupExclusion.table.insert(
    then: """
      ON CONFLICT (group_id, person_id) DO UPDATE SET \
      is_removal = \(greaterOf: "group_exclusion.is_removal", "\(\.isRemoval)"), excluded_at = \(\.excludedAt)
      """
  )
  static let find = SQL<GroupMemberKey>(
    """
    SELECT is_removal, excluded_at FROM group_exclusion WHERE group_id = \(\.group) AND person_id = \(\.person)
    """
  )
  static let delete = SQL<GroupMemberKey>(
    "DELETE FROM group_exclusion WHERE group_id = \(\.group) AND person_id = \(\.person)"
  )
  static let sweep = SQL<Sweeper.Portion>(
    """
    DELETE FROM group_exclusion WHERE (group_id, person_id) IN (SELECT group_id, person_id FROM group_exclusion \
    \(index: "group_exclusion_by_age") WHERE is_removal = 0 AND excluded_at < \(\.before) \
    ORDER BY excluded_at LIMIT \(\.limit))
    """
  )
  /// Deletes exclusions from deleted groups.
  static let sweepEnded = SQL<Sweeper.Portion>(
    """
    DELETE FROM group_exclusion WHERE (group_id, person_id) IN (\
    SELECT x.group_id, x.person_id FROM ended_group AS e \(join: .asWritten) group_exclusion AS x ON x.group_id = e.id \
    LIMIT \(\.limit))
    """
  )

  enum Reason: Equatable, Sendable {
    case removed
    /// For this number of days.
    case rejected(days: Int64)
  }

  static func insert(_ person: GlobalID, from group: GlobalID, isRemoval: Bool, in write: DatedWrite) throws {
    let exclusion = GroupExclusion(group: group, person: person, isRemoval: isRemoval, excludedAt: write.now)
    try write.transaction.run(insert, exclusion)
  }

  static func delete(_ person: GlobalID, from group: GlobalID, in transaction: WriteTransaction) throws {
    try transaction.run(delete, (group: group, person: person))
  }

  /// Why `person` may not join `group`; nil if they may.
  static func reason(
    for person: GlobalID,
    in group: GlobalID,
    at now: Timestamp,
    from reader: Reader
  ) throws -> Reason? {
    let found = try reader.first(of: find, (group: group, person: person)) { row in
      (isRemoval: row.bool(0), at: row.int64(1))
    }
    guard let found else { return nil }
    if found.isRemoval { return .removed }
    return Wait(length: rejectionLifetime).daysLeft(since: found.at, at: now).map { .rejected(days: $0) }
  }

  /// Throws if `person`, who is not invited, may not join `group`.
  static func requireNone(
    for person: GlobalID,
    in group: GlobalID,
    _ field: [String],
    at now: Timestamp,
    from reader: Reader
  ) throws {
    switch try reason(for: person, in: group, at: now, from: reader) {
    case nil: return
    case .removed:
      let message: UserError.Message =
        "You were removed from this group: you can join again once one of its admins invites you."
      throw RejectedInput(field, code: .invitationRequired, reason: .removedFromGroup, message: message)
    case .rejected(let days):
      throw RejectedInput(
        field,
        code: .notAllowed,
        reason: .tooSoon,
        message: "Your request was rejected: you can ask again in \(days: days)."
      )
    }
  }
}
