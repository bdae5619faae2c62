import Storage

/// A row of `search_entry`: the indexed words of a person or a group. Triggers keep the full-text index `search_index`
/// up to date.
struct SearchEntry: StoredRow {
  var id: GlobalID
  var words: String

  static let table = Table<SearchEntry>("search_entry", [Column("id", \.id), Column("words", \.words)])
}
