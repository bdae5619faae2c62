import Storage

/// Requests to remove a parent from a family, as they are stored: at most one open request in a family.
enum ParentRemovalRow {
  /// How long after a request ended without effect the same person cannot request the same removal again.
  static let pause = Sweeper.memory

  static let insert = SQL(
    """
    INSERT INTO parent_removal (family_id, id, person_id, requested_by, requested_at, effective_at) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6)
    """
  )
  static let ofFamily = SQL("SELECT id, person_id, requested_by FROM parent_removal WHERE family_id = ?1")
  static let delete = SQL("DELETE FROM parent_removal WHERE family_id = ?1")
  static let deleteOfPerson = SQL(
    "DELETE FROM parent_removal WHERE family_id = ?1 AND (person_id = ?2 OR requested_by = ?2)"
  )
  static let due = SQL(
    """
    SELECT family_id, person_id, requested_by FROM parent_removal INDEXED BY parent_removal_by_time \
    WHERE effective_at <= ?1 ORDER BY effective_at LIMIT 1
    """
  )
  static let earliest = SQL(
    """
    SELECT effective_at FROM parent_removal INDEXED BY parent_removal_by_time WHERE effective_at > 0 \
    ORDER BY effective_at LIMIT 1
    """
  )
  static let end = SQL(
    """
    INSERT INTO ended_parent_removal (requested_by, person_id, ended_at) VALUES (?1, ?2, ?3) \
    ON CONFLICT (requested_by, person_id) DO UPDATE SET ended_at = ?3
    """
  )
  static let endedAt = SQL("SELECT ended_at FROM ended_parent_removal WHERE requested_by = ?1 AND person_id = ?2")
  static let sweepEnded = SQL(
    """
    DELETE FROM ended_parent_removal WHERE (requested_by, person_id) IN (\
    SELECT requested_by, person_id FROM ended_parent_removal INDEXED BY ended_parent_removal_by_age \
    WHERE ended_at < ?1 ORDER BY ended_at LIMIT ?2)
    """
  )

  struct Found: Sendable {
    let key: GlobalID
    let person: GlobalID
    let requester: GlobalID
  }

  static func find(in family: GlobalID, _ transaction: WriteTransaction) throws -> Found? {
    let statement = try transaction.statement(ofFamily)
    try statement.bind(1, family.rawValue)
    return try statement.first { row in
      Found(
        key: GlobalID(rawValue: row.int64(0)),
        person: GlobalID(rawValue: row.int64(1)),
        requester: GlobalID(rawValue: row.int64(2))
      )
    }
  }

  /// While a removal is open, neither side can change who belongs to the family.
  static func requireNone(in family: GlobalID, _ field: [String], _ transaction: WriteTransaction) throws {
    guard try find(in: family, transaction) != nil else { return }
    let message = "The removal of a parent is open in this family: this is possible again when that has ended."
    throw Refused(field, .conflict, message)
  }

  /// For how many days `requester` cannot request the removal of `person` again; nil if they can.
  static func daysLeft(
    of requester: GlobalID,
    for person: GlobalID,
    at now: Int64,
    _ transaction: WriteTransaction
  ) throws -> Int64? {
    let statement = try transaction.statement(endedAt)
    try statement.bind(1, requester.rawValue)
    try statement.bind(2, person.rawValue)
    guard let endedAt = try statement.first({ row in row.int64(0) }) else { return nil }
    // A clock that was set back does not lengthen the wait.
    let rest = min(endedAt - now, 0) + pause
    return rest > 0 ? (rest + 86_399_999) / 86_400_000 : nil
  }
}
