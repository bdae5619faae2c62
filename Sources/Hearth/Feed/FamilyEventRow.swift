import Storage

/// A row of `family_event`: an event kept as backlog for subscribers that reconnect.
struct FamilyEventRow: Sendable {
  var family: GlobalID
  /// The number of the event in the family's feed (`FeedCounter`).
  var position: Int64
  var kind: FamilyEvent.Kind
  var subject: GlobalID
  var details: KeyList?
  var recordedAt: Timestamp

  static let table = Table<FamilyEventRow>(
    "family_event",
    [
      Column("family_id", \.family),
      Column("position", \.position),
      Column("kind", \.kind),
      Column("subject_id", \.subject),
      Column("details", \.details),
      Column("recorded_at", \.recordedAt),
    ]
  )

  /// Inserts a row whose position is that of a place.
  static let insert: SQL<(row: FamilyEventRow, place: FeedPlace)> = FamilyEventRow.table.insert(
    \.row,
    setting: \.position,
    to: FeedPlace.position,
    of: \.place
  )
}
