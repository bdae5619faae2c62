import Storage

/// A chore that is there: of the family, and not removed.
enum ChoreRow {
  static let exists = SQL("SELECT 1 FROM chore WHERE family_id = ?1 AND id = ?2 AND removed_at IS NULL")

  static func exists(_ chore: GlobalID?, in family: GlobalID, _ transaction: WriteTransaction) throws -> Bool {
    guard let chore else { return false }
    let statement = try transaction.statement(exists)
    try statement.bind(1, family.rawValue)
    try statement.bind(2, chore.rawValue)
    return try statement.first { _ in true } ?? false
  }

  static func notFound(_ field: [String]) -> UserError {
    UserError(field: field, code: .notFound, message: "No chore of the family has this id.")
  }
}
