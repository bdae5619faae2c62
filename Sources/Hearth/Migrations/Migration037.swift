import Storage

extension Migration {
  /// The addresses to which no invitations are mailed any more.
  static let stoppedAddresses = Migration(
    37,
    name: "addresses without invitations",
    sql: """
      CREATE TABLE stopped_address (
        -- The first 16 bytes of a keyed hash of the address: StopToken.
        hash BLOB PRIMARY KEY NOT NULL,
        stopped_at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      """,
    postgreSQL: """
      CREATE TABLE stopped_address (
        hash bytea PRIMARY KEY NOT NULL,
        stopped_at bigint NOT NULL
      );
      """,
    isExpansion: true
  )
}
