import Storage

/// What was removed, though its row is kept: history still shows it, but by its id it is not found.
enum Removal {
  static let isChildRemoved = SQL("SELECT removed_at IS NOT NULL FROM child WHERE family_id = ?1 AND id = ?2")
  static let isChoreRemoved = SQL("SELECT removed_at IS NOT NULL FROM chore WHERE family_id = ?1 AND id = ?2")

  static func hasTaken(_ key: GlobalID, _ context: RequestContext) throws -> Bool {
    guard let family = context.viewer?.family, let sql = statement(for: key.kind) else { return false }
    let statement = try context.reader.statement(sql)
    try statement.bind(1, family.rawValue)
    try statement.bind(2, key.rawValue)
    return try statement.first { row in row.bool(0) } ?? false
  }

  private static func statement(for kind: Kind?) -> SQL? {
    switch kind {
    case .child: isChildRemoved
    case .chore: isChoreRemoved
    default: nil
    }
  }
}
