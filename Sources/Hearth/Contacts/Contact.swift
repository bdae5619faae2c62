import Storage

/// A row of `contact`: a person in somebody's address book. Each pair has two rows, one in each one's book, which are
/// inserted and deleted together.
struct Contact: StoredRow {
  var owner: GlobalID
  var id: GlobalID
  var person: GlobalID
  /// Of the person: see `NameOrder`.
  var nameKey: String
  /// What the owner shares with the person.
  var sharing: Scopes
  var since: Timestamp

  static let table = Table<Contact>(
    "contact",
    [
      Column("owner_id", \.owner),
      Column("id", \.id),
      Column("person_id", \.person),
      Column("name_key", \.nameKey),
      Column("sharing", \.sharing),
      Column("since", \.since),
    ]
  )
}
