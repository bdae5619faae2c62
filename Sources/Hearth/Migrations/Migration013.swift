import Storage

extension Migration {
  /// From where on what happens in a family is told to whom has come into it.
  static let familyBeginnings = Migration(
    13,
    "family beginnings",
    sql: """
      -- The position at which they came over from another family; 0 where they did not.
      ALTER TABLE person ADD COLUMN family_since INTEGER NOT NULL DEFAULT 0;
      """
  )
}
