import Storage

/// Maintains the search index. The write that changes a name or another public property updates it.
enum SearchIndex {
  static let person = SQL<GlobalID>(
    """
    SELECT name, hometown, current_city, company, high_schools, colleges FROM person \
    WHERE id = \(\.self) AND deactivated_at IS NULL
    """
  )
  /// Groups by invitation are not searchable.
  static let group = SQL<GlobalID>(
    """
    SELECT name, hometown, description FROM person_group \
    WHERE id = \(\.self) AND access < \(GroupAccess.byInvitation)
    """
  )
  static let set = SearchEntry.table.insert(
    then: "ON CONFLICT (id) DO UPDATE SET words = excluded.words WHERE search_entry.words <> excluded.words"
  )
  static let delete = SQL<GlobalID>("DELETE FROM search_entry WHERE id = \(\.self)")

  /// Updates the entry of a person or a group. Must be called after every change of its indexed properties.
  static func update(_ key: GlobalID, _ transaction: WriteTransaction) throws {
    guard let words = try words(of: key, transaction) else { return try remove(key, transaction) }
    try transaction.run(set, SearchEntry(id: key, words: words))
  }

  /// Returns nil if the object is not searchable.
  static func words(of key: GlobalID, _ transaction: WriteTransaction) throws -> String? {
    let isGroup = key.kind == .group
    return try transaction.reader.first(of: isGroup ? group : person, key) { row in
      SearchWords.text(
        name: row.string(0),
        others: (1...(isGroup ? 2 : 5)).map { row.optionalString($0) },
        isGroup ? .group : .person
      )
    }
  }

  /// Removes the entry of a deactivated person or a deleted group.
  static func remove(_ key: GlobalID, _ transaction: WriteTransaction) throws {
    try transaction.run(delete, key)
  }
}
