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

  /// The name of a family that has no members any more.
  static let formerName = "Former family"

  /// The name of a new family, with as much of its parent's name as a name has room for.
  static func usualName(ofParent parent: String) -> String {
    let rest = " family"
    return String(parent.prefix(InputForm.maximumLine - rest.count)) + rest
  }

  /// Inserts an empty family.
  static func insert(_ family: GlobalID, name: String, timeZone: String, in write: DatedWrite) throws {
    let row = Family(id: family, name: name, timeZone: timeZone, createdAt: write.now)
    try write.transaction.run(table.insert, row)
  }
}
