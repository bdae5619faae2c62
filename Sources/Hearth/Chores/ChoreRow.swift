import GraphQL
import Storage

/// The key of a chore, with its family.
typealias ChoreKey = (family: GlobalID, chore: GlobalID)

/// Checks for chores that exist: they belong to the family and are not removed.
enum ChoreRow {
  static let exists = SQL<ChoreKey>(
    "SELECT 1 FROM chore WHERE family_id = \(\.family) AND id = \(\.chore) AND removed_at IS NULL"
  )

  static func exists(_ chore: GlobalID?, of family: GlobalID, from reader: Reader) throws -> Bool {
    guard let chore else { return false }
    return try reader.hasRow(exists, (family: family, chore: chore))
  }

  static func notFound(_ field: [String]) -> UserError {
    UserError(field: field, code: .notFound, message: "No chore of the family has this id.")
  }
}
