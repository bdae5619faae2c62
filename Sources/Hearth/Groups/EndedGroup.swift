import Storage

/// A row of `ended_group`: a group that was deleted, and whose memberships the sweeper deletes.
struct EndedGroup: StoredRow {
  var id: GlobalID

  static let table = Table<EndedGroup>("ended_group", [Column("id", \.id)])
}
