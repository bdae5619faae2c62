import Storage

/// A row of `contact`: a person in another's address book. Each pair of contacts has two rows, one per address book,
/// which are inserted and deleted together.
struct Contact: StoredRow {
  var owner: GlobalID
  var id: GlobalID
  var person: GlobalID
  /// The person's name in the order of address books: see `NameOrder`.
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
