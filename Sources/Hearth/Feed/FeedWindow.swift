import Storage

/// The window of kept events: the newest of a family or of a member's account, for some time. A trigger records in
/// `family_feed` which events were deleted, so that clients that resume before the window receive an error.
enum FeedWindow {
  /// In milliseconds.
  static let length: Int64 = 7 * Milliseconds.day
  /// Per family, and per account. The busiest family has a tenth of it in a week.
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
  /// The first position that stays is looked up: of a subquery that returns positions up to a LIMIT, PostgreSQL's
  /// planner expects many, and reads all of the family's events for each mutation.
  static let deleteExcess = SQL<GlobalID>(
    """
    DELETE FROM family_event WHERE family_id = \(\.self) AND position < (\
    SELECT position FROM family_event WHERE family_id = \(\.self) ORDER BY position LIMIT 1 OFFSET coalesce((\
    SELECT CASE WHEN count < \(sql: "\(maximumCount + tolerance)") THEN 0 ELSE count - \(sql: "\(maximumCount)") END \
    FROM family_feed WHERE family_id = \(\.self)), 0)) \
    AND (SELECT count FROM family_feed WHERE family_id = \(\.self)) >= \(sql: "\(maximumCount + tolerance)")
    """
  )

  /// Deletes the oldest events once there are `tolerance` more than `maximumCount`, after some were added.
  ///
  /// - Parameters:
  ///   - log: the family, or the member whose account it is.
  ///   - count: the number of its events. Nil if it is not known: then the statement reads it.
  static func bound(_ log: GlobalID, count: Int64?, in transaction: WriteTransaction) throws {
    if let count, count < maximumCount + tolerance { return }
    try transaction.run(deleteExcess, log)
  }
}
