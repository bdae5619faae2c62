import Storage

/// Finds children of a family that are not removed.
enum ChildRow {
  static let exists = SQL<ChildKey>(
    "SELECT 1 FROM child WHERE family_id = \(\.family) AND id = \(\.child) AND removed_at IS NULL"
  )

  static func exists(_ child: GlobalID?, of family: GlobalID, from reader: Reader) throws -> Bool {
    guard let child else { return false }
    return try reader.hasRow(exists, (family: family, child: child))
  }

  static func notFound(_ field: [String]) -> UserError {
    UserError(field: field, code: .notFound, message: "No child of the family has this id.")
  }
}
