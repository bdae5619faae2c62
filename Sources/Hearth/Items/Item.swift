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

/// Finds items of a family.
extension Item {
  static let exists = SQL<ItemKey>("SELECT 1 FROM item WHERE family_id = \(\.family) AND id = \(\.item)")

  static func exists(_ item: GlobalID?, of family: GlobalID, from reader: Reader) throws -> Bool {
    guard let item else { return false }
    return try reader.hasRow(exists, (family: family, item: item))
  }

  static func notFound(_ field: [String]) -> UserError {
    UserError(field: field, code: .notFound, message: "No item of the family has this id.")
  }
}

/// Identifies a row of `item`.
typealias ItemKey = (family: GlobalID, item: GlobalID)
