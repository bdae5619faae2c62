import Storage

/// A row of `search_entry`: the words by which searches find a person or a group. Triggers keep the full-text index
/// `search_index` in step.
struct SearchEntry: StoredRow {
  var id: GlobalID
  var words: String

  static let table = Table<SearchEntry>("search_entry", [Column("id", \.id), Column("words", \.words)])
}
