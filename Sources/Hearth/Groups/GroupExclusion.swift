import Storage

/// People who may not join a group: they were removed from it, until an admin invites them again, or an admin rejected
/// their request, for 30 days.
enum GroupExclusion {
  /// How long a rejection lasts, in milliseconds. The sweeper deletes older ones.
  static let rejectionLifetime = Sweeper.memory

  static let insert = SQL(
    """
    INSERT INTO group_exclusion (group_id, person_id, is_removal, excluded_at) VALUES (?1, ?2, ?3, ?4) \
    ON CONFLICT (group_id, person_id) DO UPDATE SET is_removal = max(is_removal, ?3), excluded_at = ?4
    """
  )
  static let find = SQL("SELECT is_removal, excluded_at FROM group_exclusion WHERE group_id = ?1 AND person_id = ?2")
  static let delete = SQL("DELETE FROM group_exclusion WHERE group_id = ?1 AND person_id = ?2")
  static let sweep = SQL(
    """
    DELETE FROM group_exclusion WHERE (group_id, person_id) IN (SELECT group_id, person_id FROM group_exclusion \
    INDEXED BY group_exclusion_by_age WHERE is_removal = 0 AND excluded_at < ?1 ORDER BY excluded_at LIMIT ?2)
    """
  )
  /// Exclusions from groups that were deleted. Parameter 2 is the most that one run deletes.
  static let sweepEnded = SQL(
    """
    DELETE FROM group_exclusion WHERE (group_id, person_id) IN (\
    SELECT x.group_id, x.person_id FROM ended_group AS e CROSS JOIN group_exclusion AS x ON x.group_id = e.id LIMIT ?2)
    """
  )

  enum Reason: Equatable, Sendable {
    case removed
    /// For this many more days.
    case rejected(days: Int64)
  }

  static func insert(
    _ person: GlobalID,
    from group: GlobalID,
    isRemoval: Bool,
    at now: Int64,
    _ transaction: WriteTransaction
  ) throws {
    let statement = try transaction.statement(insert)
    try statement.bind(1, group.rawValue)
    try statement.bind(2, person.rawValue)
    try statement.bind(3, isRemoval)
    try statement.bind(4, now)
    try statement.run()
  }

  /// Why `person` may not join `group`; nil if they may.
  static func reason(
    for person: GlobalID,
    in group: GlobalID,
    at now: Int64,
    _ transaction: WriteTransaction
  ) throws -> Reason? {
    let statement = try transaction.statement(find)
    try statement.bind(1, group.rawValue)
    try statement.bind(2, person.rawValue)
    guard let found = try statement.first({ row in (isRemoval: row.bool(0), at: row.int64(1)) }) else { return nil }
    if found.isRemoval { return .removed }
    // A clock that was set back does not lengthen the wait.
    let rest = min(found.at - now, 0) + rejectionLifetime
    return rest > 0 ? .rejected(days: (rest + 86_399_999) / 86_400_000) : nil
  }

  /// Throws if `person` may not join `group`.
  static func requireNone(
    for person: GlobalID,
    in group: GlobalID,
    _ field: [String],
    at now: Int64,
    _ transaction: WriteTransaction
  ) throws {
    switch try reason(for: person, in: group, at: now, transaction) {
    case nil: return
    case .removed:
      let message = "You were removed from this group: you can join again once one of its admins invites you."
      throw Refused(field, .invitationRequired, message)
    case .rejected(let days):
      let wait = days == 1 ? "a day" : "\(days) days"
      throw Refused(field, .notAllowed, "Your request was rejected: you can ask again in \(wait).")
    }
  }
}
