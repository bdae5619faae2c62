import Storage

/// Which events are kept for those who were away: a family's newest, for some time. What is swept away `family_feed`
/// remembers, by triggers: whoever would go on from before is told.
enum FeedWindow {
  /// In milliseconds.
  static let length: Int64 = 7 * 86_400_000
  /// Of one family. A week of the busiest has a tenth of it.
  static let maximumCount: Int64 = 20_000
  /// How many more there may be before these are swept away together.
  static let tolerance: Int64 = 100

  /// Parameters: 1 before which moment, 2 how many.
  static let sweep = SQL(
    """
    DELETE FROM family_event WHERE (family_id, position) IN (\
    SELECT family_id, position FROM family_event INDEXED BY family_event_by_age WHERE recorded_at < ?1 LIMIT ?2)
    """
  )
  static let count = SQL("SELECT count FROM family_feed WHERE family_id = ?1")
  static let sweepOldest = SQL(
    """
    DELETE FROM family_event WHERE family_id = ?1 AND position IN (\
    SELECT position FROM family_event WHERE family_id = ?1 ORDER BY position LIMIT ?2)
    """
  )

  /// Keeps to `maximumCount` after an event was added.
  static func bound(_ family: GlobalID, _ transaction: WriteTransaction) throws {
    let counting = try transaction.statement(count)
    try counting.bind(1, family.rawValue)
    let excess = (try counting.first { row in row.int64(0) } ?? 0) - maximumCount
    guard excess >= tolerance else { return }
    try transaction.run(sweepOldest, family.rawValue, excess)
  }
}
