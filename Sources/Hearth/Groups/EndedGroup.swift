import Storage

/// A row of `ended_group`: a deleted group whose memberships the sweeper still has to delete.
struct EndedGroup: StoredRow {
  var id: GlobalID

  static let table = Table<EndedGroup>("ended_group", [Column("id", \.id)])
}
