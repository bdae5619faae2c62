import Storage

/// The numbers that lost commits have used: those of keys and of feed positions. They are lost when a backup is
/// restored, and clients still have them: in access tokens, in ids and as resume positions.
///
/// Allocated again, the number of a session would give a token that was issued for it the rights of somebody else, and
/// a position would hide that events are missing. `statements` therefore leaves all of them out.
///
/// The same backup can be restored several times, and the commits after each restore are lost at the next. How many
/// numbers are left out is therefore random: two restores of a backup that each use a million numbers overlap once in a
/// hundred million times. There are 2⁵⁷ numbers of each kind, so that data can be restored a thousand times in
/// succession.
enum LostNumbers {
  /// More than the commits since any backup have used.
  private static let leastCount: Int64 = 1 << 32
  /// The number of random bits.
  private static let randomBits = 48

  static let skipKeys = SQL<Void>(
    "\(raise: "next", in: "sequence", by: leastCount, andRandomBits: randomBits)"
  )
  /// The kept events are before the new positions, so that resuming `familyChanged` at any earlier position is a
  /// `FEED_GAP`. Notifications and reminders from now on are after them, so that their subscriptions miss none.
  ///
  /// It follows `skipKeys`, whose random number is in the sequence.
  static let skipPositions = SQL<Void>(
    """
    INSERT INTO family_feed (family_id, count, swept, position) \
    SELECT f.id, 0, \(sql: skipped), \(sql: skipped) \
    FROM family AS f \(join: .asWritten) sequence AS s ON true WHERE true \
    ON CONFLICT (family_id) DO UPDATE SET swept = family_feed.position + excluded.position, \
    position = family_feed.position + excluded.position
    """
  )

  /// Resuming `accountChanged` at an earlier position is a `FEED_GAP` too. Members without events have no row, and the
  /// position of their family counts.
  ///
  /// It follows `skipPositions`.
  static let skipAccountPositions = SQL<Void>(
    """
    UPDATE family_feed SET swept = coalesce((\
    SELECT f.position FROM person AS p \(join: .asWritten) family_feed AS f ON f.family_id = p.family_id \
    WHERE p.id = family_feed.family_id UNION ALL \
    SELECT f.position FROM child AS c \(join: .asWritten) family_feed AS f ON f.family_id = c.family_id \
    WHERE c.id = family_feed.family_id), swept) \
    WHERE \(Kind.person.isKind(of: "family_id")) OR \(Kind.child.isKind(of: "family_id"))
    """
  )

  private static var skipped: String { "s.next % \(1 << randomBits) + \(leastCount)" }

  /// In this order.
  static let statements = [skipKeys, skipPositions, skipAccountPositions]
}
