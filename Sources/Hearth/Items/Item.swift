import Storage

/// A row of `item`. Removing an item deletes its row.
struct Item: StoredRow {
  var family: GlobalID
  var id: GlobalID
  var name: String
  var createdBy: GlobalID
  var createdAt: Timestamp
  var photo: Int64?

  static let table = Table<Item>(
    "item",
    [
      Column("family_id", \.family),
      Column("id", \.id),
      Column("name", \.name),
      Column("created_by", \.createdBy),
      Column("created_at", \.createdAt),
      Column("photo", \.photo),
    ]
  )
}

/// Identifies a row of `item`.
typealias ItemKey = (family: GlobalID, item: GlobalID)
