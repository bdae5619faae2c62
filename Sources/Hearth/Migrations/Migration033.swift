import Storage

extension Migration {
  /// SQLite checks at the end of a write, instead of after each statement, that the family of a chore exists
  /// (`Writer.hasDeferredViolation`), and once more at the commit. In PostgreSQL databases nothing changes.
  ///
  /// Because of a constraint that SQLite checks after each statement, and of the trigger that counts the uses of
  /// pictures, it kept a journal of each insertion of a chore: see `InsertionFailure`.
  ///
  /// The text of the table is changed in place, as SQLite documents for constraints
  /// (https://sqlite.org/lang_altertable.html#otheralter), because making a new table takes as long as a file has
  /// chores.
  static let deferredFamilyOfChores = Migration(
    33,
    name: "deferred families of chores",
    sql: """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_master SET sql = replace(sql, 'family_id INTEGER NOT NULL REFERENCES family (id),',
        'family_id INTEGER NOT NULL REFERENCES family (id) DEFERRABLE INITIALLY DEFERRED,')
        WHERE type = 'table' AND name = 'chore';
      -- Reads the changed schema.
      PRAGMA writable_schema = RESET;
      """,
    postgreSQL: "-- The foreign keys of PostgreSQL databases can be deferred already.",
    isExpansion: true
  )
}
