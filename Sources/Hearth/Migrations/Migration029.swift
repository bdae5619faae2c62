import Storage

extension Migration {
  /// Languages of children.
  static let childLocales = Migration(
    29,
    name: "languages of children",
    sql: """
      -- The language for notifications to devices, as a language tag (BCP 47). NULL if it was not chosen.
      ALTER TABLE child ADD COLUMN locale TEXT;
      """,
    postgreSQL: """
      ALTER TABLE child ADD COLUMN locale text COLLATE "C";
      """,
    isExpansion: true
  )
}
