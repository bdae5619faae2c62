import Storage

extension Migration {
  /// The version of each entry of the search index, and the points of restored children. Entries of earlier versions
  /// are renewed in steps after the start.
  static let searchFilters = Migration(
    24,
    name: "search filters and points of restored children",
    sql: """
      -- SearchWords.version when the words were made.
      ALTER TABLE search_entry ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
      CREATE INDEX search_entry_by_version ON search_entry (version, id);

      -- restoreChild had set them to 0, against the sum of the entries.
      UPDATE child SET points = (
        SELECT coalesce(sum(e.points), 0) FROM point_entry AS e
        WHERE e.family_id = child.family_id AND e.member_id = child.id
      ) WHERE points = 0;
      """
  )
}
