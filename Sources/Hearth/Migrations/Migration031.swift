import Storage

extension Migration {
  /// What several processes on one PostgreSQL database share. Refreshed sessions keep the next token on both engines.
  static let sharedState = Migration(
    31,
    name: "state of several processes",
    sql: """
      -- Of the refresh token that was good before the current one, and the current one, encrypted with it.
      ALTER TABLE session ADD COLUMN used_hash BLOB;
      ALTER TABLE session ADD COLUMN sealed_token BLOB;
      """,
    postgreSQL: """
      ALTER TABLE session ADD COLUMN used_hash bytea;
      ALTER TABLE session ADD COLUMN sealed_token bytea;

      -- Whether programs of earlier versions can use the database after a migration.
      ALTER TABLE IF EXISTS migration ADD COLUMN IF NOT EXISTS expands bigint NOT NULL DEFAULT 0;

      \(ProcessTable.tables)

      \(SharedRates.table)
      """,
    isExpansion: true
  )
}
