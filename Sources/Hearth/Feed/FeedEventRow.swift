import Storage

/// A row of `family_event`: an event kept as backlog for subscribers that reconnect.
struct FeedEventRow: Sendable {
  /// The family, or the member whose account it is.
  var log: GlobalID
  /// The number of the event in the feed of the family, or of the member's family (`FeedCounter`).
  var position: Int64
  var kind: FeedEvent.Kind
  var subject: GlobalID
  var details: KeyList?
  var recordedAt: Timestamp

  static let table = Table<FeedEventRow>(
    "family_event",
    [
      Column("family_id", \.log),
      Column("position", \.position),
      Column("kind", \.kind),
      Column("subject_id", \.subject),
      Column("details", \.details),
      Column("recorded_at", \.recordedAt),
    ]
  )

  /// Inserts a row whose position is that of a place.
  static let insert: SQL<(row: FeedEventRow, place: FeedPlace)> = FeedEventRow.table.insert(
    \.row,
    setting: \.position,
    to: FeedPlace.position,
    of: \.place
  )
}
