import Storage

/// A row of `family`.
struct Family: StoredRow {
  var id: GlobalID
  var name: String
  /// The time zone in which the family's days begin, by its name in the IANA database.
  var timeZone: String
  var createdAt: Timestamp
  /// When the next period of its repeating chores begins; nil when no chore repeats.
  var nextTurnAt: Timestamp?

  static let table = Table<Family>(
    "family",
    [
      Column("id", \.id),
      Column("name", \.name),
      Column("time_zone", \.timeZone),
      Column("created_at", \.createdAt),
      Column("next_turn_at", \.nextTurnAt),
    ]
  )
}
