import Storage

/// The numbers that lost commits have used: those of keys and of feed positions. They are lost when a backup is
/// restored, and clients still have them: in access tokens, in ids and as resume positions.
///
/// Allocated again, the number of a session would give a token that was issued for it the rights of somebody else, and
/// a position would hide that events are missing. `statements` therefore leaves all of them out.
enum LostNumbers {
  /// More than the commits since any backup have used. There are 2⁵⁷ of each.
  private static let count: Int64 = 1 << 32

  static let skipKeys = SQL<Void>("\(raise: "next", in: "sequence", by: count)")
  /// The kept events are before the new positions, so that resuming `familyChanged` at any earlier position is a
  /// `FEED_GAP`. Notifications and reminders from now on are after them, so that their subscriptions miss none.
  static let skipPositions = SQL<Void>(
    """
    INSERT INTO family_feed (family_id, count, swept, position) \
    SELECT id, 0, \(sql: "\(count)"), \(sql: "\(count)") FROM family WHERE true \
    ON CONFLICT (family_id) DO UPDATE SET swept = family_feed.position + excluded.position, \
    position = family_feed.position + excluded.position
    """
  )

  static let statements = [skipKeys, skipPositions]
}
