import Storage

extension Migration {
  /// The version of each entry of the search index. Entries of earlier versions are renewed in steps after the start.
  static let searchFilters = Migration(
    24,
    "search filters",
    sql: """
      -- SearchWords.version when the words were made.
      ALTER TABLE search_entry ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
      CREATE INDEX search_entry_by_version ON search_entry (version, id);
      """
  )
}
