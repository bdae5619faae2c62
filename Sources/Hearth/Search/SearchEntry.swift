import Storage

/// A row of `search_entry`: the indexed words of a person or a group. Triggers keep the full-text index `search_index`
/// up to date.
struct SearchEntry: StoredRow {
  var id: GlobalID
  var words: String
  /// `SearchWords.version` when the words were made.
  var version = SearchWords.version

  static let table = Table<SearchEntry>(
    "search_entry",
    [Column("id", \.id), Column("words", \.words), Column("version", \.version)]
  )
}
