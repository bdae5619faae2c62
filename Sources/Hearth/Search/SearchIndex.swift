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
    then: """
      ON CONFLICT (id) DO UPDATE SET words = excluded.words, version = excluded.version \
      WHERE search_entry.words <> excluded.words OR search_entry.version <> excluded.version
      """
  )
  static let delete = SQL<GlobalID>("DELETE FROM search_entry WHERE id = \(\.self)")

  /// Updates the entry of a person or a group. Must be called after every change of its indexed properties.
  static func update(_ key: GlobalID, in transaction: WriteTransaction) throws {
    guard let words = try words(of: key, in: transaction) else { return try remove(key, in: transaction) }
    try transaction.run(set, SearchEntry(id: key, words: words))
  }

  /// Returns nil if the object is not searchable.
  static func words(of key: GlobalID, in transaction: WriteTransaction) throws -> String? {
    let isGroup = key.kind == .group
    return try transaction.reader.first(of: isGroup ? group : person, key) { row in
      SearchWords.text(
        name: row.string(0),
        others: (isGroup ? filtersOfGroup : filtersOfPerson).enumerated().map { index, filter in
          SearchWords.Other(text: row.optionalString(index + 1), filter: filter)
        },
        isGroup ? .group : .person
      )
    }
  }

  /// By column of `person` and `group` after the name.
  private static let filtersOfPerson: [SearchFilter.Property?] = [.city, .city, .company, .school, .school]
  private static let filtersOfGroup: [SearchFilter.Property?] = [.city, nil]

  /// Removes the entry of a deactivated person or a deleted group.
  static func remove(_ key: GlobalID, in transaction: WriteTransaction) throws {
    try transaction.run(delete, key)
  }

  // MARK: Renewal

  static let outdated = SQL<Int64>(
    """
    SELECT id FROM search_entry \(index: "search_entry_by_version") WHERE version < \(sql: String(SearchWords.version)) \
    ORDER BY version, id LIMIT \(\.self)
    """
  )
  /// Entries per write. Each is a few reads and changes of the index, some 0.1 ms.
  private static let renewedAtOnce: Int64 = 50

  /// Updates entries that an earlier version of the server has made. Until then, filters do not find them.
  static let renewal = FeatureService("renewal of the search index") { services in
    Scheduler("search index", in: services.work) { write in
      try renew(write.transaction) ? write.now.milliseconds : nil
    }
  }

  /// Returns whether there may be more.
  static func renew(_ transaction: WriteTransaction) throws -> Bool {
    let keys = try transaction.reader.keys(of: outdated, renewedAtOnce)
    for key in keys { try update(key, in: transaction) }
    return keys.count == renewedAtOnce
  }
}
