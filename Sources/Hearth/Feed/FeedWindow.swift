import Storage

/// The window of kept events: a family's newest, for some time. Triggers record in `family_feed` which events were
/// deleted, so that clients that resume before the window receive an error.
enum FeedWindow {
  /// In milliseconds.
  static let length: Int64 = 7 * 86_400_000
  /// Per family. The busiest family has a tenth of it in a week.
  static let maximumCount: Int64 = 20_000
  /// The excess at which events are deleted together.
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

  /// Keeps the number of events below `maximumCount` after one was added.
  static func bound(_ family: GlobalID, _ transaction: WriteTransaction) throws {
    let excess = (try transaction.reader.first(of: count, family) { row in row.int64(0) } ?? 0) - maximumCount
    guard excess >= tolerance else { return }
    try transaction.run(sweepOldest, (family: family, limit: excess))
  }
}
