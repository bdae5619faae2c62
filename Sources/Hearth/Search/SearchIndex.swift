import Storage

/// The index of the search as it is written: by the write that changes a name or what else everybody may see.
enum SearchIndex {
  static let person = SQL(
    """
    SELECT name, hometown, current_city, company, high_schools, colleges FROM person \
    WHERE id = ?1 AND deactivated_at IS NULL
    """
  )
  /// Searches do not find groups by invitation.
  static let group = SQL(
    """
    SELECT name, hometown, description FROM person_group \
    WHERE id = ?1 AND access < \(GroupAccess.byInvitation.stored)
    """
  )
  static let set = SQL(
    """
    INSERT INTO search_entry (id, words) VALUES (?1, ?2) \
    ON CONFLICT (id) DO UPDATE SET words = excluded.words WHERE words <> excluded.words
    """
  )
  static let delete = SQL("DELETE FROM search_entry WHERE id = ?1")

  /// Makes the entry of a person or a group what it now has to be. To be called after every change of what is in it.
  static func update(_ key: GlobalID, _ transaction: WriteTransaction) throws {
    guard let words = try words(of: key, transaction) else { return try remove(key, transaction) }
    let setting = try transaction.statement(set)
    try setting.bind(1, key.rawValue)
    try setting.bind(2, words)
    try setting.run()
  }

  /// Nil where there is nothing to be found.
  static func words(of key: GlobalID, _ transaction: WriteTransaction) throws -> String? {
    let isGroup = key.kind == .group
    let reading = try transaction.statement(isGroup ? group : person)
    try reading.bind(1, key.rawValue)
    return try reading.first { row in
      SearchWords.text(
        name: row.string(0),
        others: (1...(isGroup ? 2 : 5)).map { row.optionalString($0) },
        isGroup ? .group : .person
      )
    }
  }

  /// For who has left, and for groups that are gone.
  static func remove(_ key: GlobalID, _ transaction: WriteTransaction) throws {
    try transaction.run(delete, key.rawValue)
  }
}
