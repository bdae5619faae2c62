import Storage

/// A row of `former_parent`: a person who was a parent of the family.
struct FormerParent: Sendable {
  var family: GlobalID
  var person: GlobalID
  var leftAt: Timestamp

  static let table = Table<FormerParent>(
    "former_parent",
    [
      Column("family_id", \.family),
      Column("person_id", \.person),
      Column("left_at", \.leftAt),
    ]
  )
  /// A person can leave the same family several times. The last time is kept.
  static let record = FormerParent.table.insert(
    then: "ON CONFLICT (family_id, person_id) DO UPDATE SET left_at = \(\.leftAt)"
  )
}
