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

  static let sweep = SQL<Sweeper.Portion>(
    """
    DELETE FROM family_event WHERE (family_id, position) IN (\
    SELECT family_id, position FROM family_event \(index: "family_event_by_age") \
    WHERE recorded_at < \(\.before) LIMIT \(\.limit))
    """
  )
  static let count = SQL<GlobalID>("SELECT count FROM family_feed WHERE family_id = \(\.self)")
  static let sweepOldest = SQL<(family: GlobalID, limit: Int64)>(
    """
    DELETE FROM family_event WHERE family_id = \(\.family) AND position IN (\
    SELECT position FROM family_event WHERE family_id = \(\.family) ORDER BY position LIMIT \(\.limit))
    """
  )

  /// Keeps to `maximumCount` after an event was added.
  static func bound(_ family: GlobalID, _ transaction: WriteTransaction) throws {
    let excess = (try transaction.reader.first(of: count, family) { row in row.int64(0) } ?? 0) - maximumCount
    guard excess >= tolerance else { return }
    try transaction.run(sweepOldest, (family: family, limit: excess))
  }
}
