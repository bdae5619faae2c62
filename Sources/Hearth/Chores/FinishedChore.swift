import Storage

/// A row of `finished_chore`: the points that a child got for a chore.
struct FinishedChore: StoredRow {
  var family: GlobalID
  var child: GlobalID
  var id: GlobalID
  var chore: GlobalID
  var points: Int64
  var assignedBy: GlobalID
  var finishedAt: Timestamp

  static let table = Table<FinishedChore>(
    "finished_chore",
    [
      Column("family_id", \.family),
      Column("child_id", \.child),
      Column("id", \.id),
      Column("chore_id", \.chore),
      Column("points", \.points),
      Column("assigned_by", \.assignedBy),
      Column("finished_at", \.finishedAt),
    ]
  )
}
