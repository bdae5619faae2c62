import Storage

/// The positions of a family: one line of numbers for its events, for its reminders that become due, and for the
/// notifications of its members.
///
/// A write takes them at its end from the family's row of `family_feed`, which stays locked until the commit. So they
/// are consecutive in the order of the commits, and a write that is rolled back leaves no gap. Writes of different
/// families do not wait for each other here.
enum FeedCounter {
  static let stored = SQL<GlobalID>("SELECT position, count FROM family_feed WHERE family_id = \(\.self)")
  static let advance = SQL<(family: GlobalID, position: Int64, events: Int64)>(
    """
    INSERT INTO family_feed (family_id, count, swept, position) VALUES (\(\.family), \(\.events), 0, \(\.position)) \
    ON CONFLICT (family_id) DO UPDATE SET count = family_feed.count + excluded.count, position = excluded.position
    """
  )

  /// A family's newest position, and the number of its events that are kept. Sweeps are not subtracted from a number
  /// that the writer remembers.
  private typealias Feed = (position: Int64, events: Int64)

  /// Takes the next `count` positions of a family.
  ///
  /// - Parameter events: the number of events among them.
  /// - Returns: the first position, and at least the number of the family's events with the new ones.
  static func take(
    _ count: Int,
    events: Int,
    of family: GlobalID,
    in transaction: WriteTransaction
  ) throws -> (first: Int64, events: Int64) {
    let feed = try feed(of: family, in: transaction)
    let next = (position: feed.position + Int64(count), events: feed.events + Int64(events))
    try transaction.run(advance, (family: family, position: next.position, events: Int64(events)))
    remember(next, of: family, in: transaction)
    return (feed.position + 1, next.events)
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
    let (feed, old) = (try feed(of: family, in: transaction), try self.feed(of: other, in: transaction))
    let next = (position: max(feed.position, old.position) + 1, events: feed.events)
    try transaction.run(advance, (family: family, position: next.position, events: 0))
    remember(next, of: family, in: transaction)
  }

  private static func feed(of family: GlobalID, in transaction: WriteTransaction) throws -> Feed {
    let key = family.rawValue
    if let position = transaction[remembered: key], let events = transaction[remembered: ~key] {
      return (position, events)
    }
    return try transaction.reader.first(of: stored, family) { row in (row.int64(0), row.int64(1)) } ?? (0, 0)
  }

  private static func remember(_ feed: Feed, of family: GlobalID, in transaction: WriteTransaction) {
    transaction[remembered: family.rawValue] = feed.position
    transaction[remembered: ~family.rawValue] = feed.events
  }
}
