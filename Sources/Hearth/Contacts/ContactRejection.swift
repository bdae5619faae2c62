import Storage

/// That somebody has rejected a request: who had asked does not ask them again for a while, unless they ask themselves.
enum ContactRejection {
  /// In milliseconds. What is older is swept away.
  static let lifetime = Sweeper.memory

  static let insert = SQL(
    """
    INSERT INTO contact_rejection (from_id, to_id, rejected_at) \
    SELECT from_id, to_id, ?3 FROM contact_request WHERE id = ?1 AND to_id = ?2 \
    ON CONFLICT (from_id, to_id) DO UPDATE SET rejected_at = ?3
    """
  )
  static let find = SQL("SELECT rejected_at FROM contact_rejection WHERE from_id = ?1 AND to_id = ?2")
  static let delete = SQL("DELETE FROM contact_rejection WHERE from_id = ?1 AND to_id = ?2")
  static let sweep = SQL(
    """
    DELETE FROM contact_rejection WHERE (from_id, to_id) IN (SELECT from_id, to_id FROM contact_rejection \
    INDEXED BY contact_rejection_by_age WHERE rejected_at < ?1 ORDER BY rejected_at LIMIT ?2)
    """
  )

  /// For how many days `asker` is not to ask `person`; nil where they may.
  static func daysLeft(
    of asker: GlobalID,
    for person: GlobalID,
    at now: Int64,
    _ transaction: WriteTransaction
  ) throws -> Int64? {
    let statement = try transaction.statement(find)
    try statement.bind(1, asker.rawValue)
    try statement.bind(2, person.rawValue)
    guard let rejectedAt = try statement.first({ row in row.int64(0) }) else { return nil }
    // A clock that was set back makes nobody wait longer.
    let rest = min(rejectedAt - now, 0) + lifetime
    return rest > 0 ? (rest + 86_399_999) / 86_400_000 : nil
  }
}
