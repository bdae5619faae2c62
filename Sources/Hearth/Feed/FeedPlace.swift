import Storage

/// The place of an entry among those that a write adds to a family's feed. The statement that stores the entry computes
/// its position from the family's row, which has the newest one then: so no write waits for the row.
struct FeedPlace: Sendable {
  let family: GlobalID
  /// The number of positions of the same write after this one.
  let distance: Int64

  /// The position, in the statement that stores the entry.
  static let position: SQLFragment<FeedPlace> =
    "(SELECT position FROM family_feed WHERE family_id = \(\.family)) - \(\.distance)"
}
