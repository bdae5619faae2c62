import Storage

/// A child that is there: of the family, and not removed.
enum ChildRow {
  static let exists = SQL("SELECT 1 FROM child WHERE family_id = ?1 AND id = ?2 AND removed_at IS NULL")

  static func exists(_ child: GlobalID?, in family: GlobalID, _ transaction: WriteTransaction) throws -> Bool {
    guard let child else { return false }
    let statement = try transaction.statement(exists)
    try statement.bind(1, family.rawValue)
    try statement.bind(2, child.rawValue)
    return try statement.first { _ in true } ?? false
  }

  static func notFound(_ field: [String]) -> UserError {
    UserError(field: field, code: .notFound, message: "No child of the family has this id.")
  }
}
