import Storage

extension Migration {
  /// The feed position from which a member who joined a family receives its events.
  static let familyBeginnings = Migration(
    13,
    name: "family beginnings",
    sql: """
      -- The position at which they came over from another family; 0 where they did not.
      ALTER TABLE person ADD COLUMN family_since INTEGER NOT NULL DEFAULT 0;
      """
  )
}
