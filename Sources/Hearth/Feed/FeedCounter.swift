import Storage

/// The positions of a family: one line of numbers for its events, for its reminders that become due, and for the
/// notifications and the account events of its members.
///
/// A write takes them at its end from the family's row of `family_feed`, which stays locked until the commit, also for
/// the writes of other processes. So they are consecutive in the order of the commits, and a write that is rolled back
/// leaves no gap. Writes of different families do not wait for each other here.
enum FeedCounter {
  static let stored = SQL<GlobalID>("SELECT position, count FROM family_feed WHERE family_id = \(\.self)")
  /// The row then has the newest position, by which the rows of entries get theirs: see `FeedPlace`.
  static let advance = SQL<(family: GlobalID, positions: Int64, events: Int64)>(
    """
    INSERT INTO family_feed (family_id, count, swept, position) VALUES (\(\.family), \(\.events), 0, \(\.positions)) \
    ON CONFLICT (family_id) DO UPDATE SET count = family_feed.count + excluded.count, \
    position = family_feed.position + excluded.position\(returning: "position")
    """
  )
  static let raise = SQL<(family: GlobalID, other: GlobalID)>(
    """
    INSERT INTO family_feed (family_id, count, swept, position) SELECT id, 0, 0, 1 + coalesce(\
    (SELECT position FROM family_feed WHERE family_id = \(\.other)), 0) FROM family WHERE id = \(\.family) \
    ON CONFLICT (family_id) DO UPDATE \
    SET position = \(greaterOf: "family_feed.position + 1", "excluded.position")
    """
  )

  /// Takes the next `count` positions of a family, of which `events` are those of events.
  ///
  /// - Parameter publish: publishes the entries, given the first of the positions. On PostgreSQL it is known after the
  ///   commit, so that no write waits for it.
  /// - Returns: the number of the family's events with the new ones; nil if it is not known.
  static func take(
    _ count: Int,
    events: Int,
    of family: GlobalID,
    in transaction: WriteTransaction,
    publishing publish: @escaping (_ first: Int64, PublishedEvents) -> Void
  ) throws -> Int64? {
    let parameters = (family: family, positions: Int64(count), events: Int64(events))
    let isSent = try transaction.run(advance, parameters) { newest, events in
      guard let newest else { return events.append(Feed.Publication.unplaced(in: family)) }
      publish(newest - Int64(count) + 1, events)
    }
    guard !isSent else { return nil }
    let feed = try transaction.reader.first(of: stored, family) { row in (row.int64(0), row.int64(1)) } ?? (0, 0)
    try transaction.run(advance, parameters)
    publish(feed.0 + 1, transaction.published)
    return feed.1 + Int64(events)
  }

  /// Raises the positions of a family to which members of another one move above those of the other, so that the
  /// members' positions rise, and their earlier ones are before `person.family_since`.
  static func raise(
    _ family: GlobalID,
    above other: GlobalID,
    in transaction: WriteTransaction
  ) throws {
    // The other family's positions include those that this write takes.
    try transaction.writeCollected()
    try transaction.run(raise, (family: family, other: other))
  }
}
