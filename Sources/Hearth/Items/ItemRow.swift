import Storage

/// Finds items of a family.
enum ItemRow {
  static let exists = SQL<ItemKey>("SELECT 1 FROM item WHERE family_id = \(\.family) AND id = \(\.item)")

  static func exists(_ item: GlobalID?, of family: GlobalID, from reader: Reader) throws -> Bool {
    guard let item else { return false }
    return try reader.hasRow(exists, (family: family, item: item))
  }

  static func notFound(_ field: [String]) -> UserError {
    UserError(field: field, code: .notFound, message: "No item of the family has this id.")
  }
}
