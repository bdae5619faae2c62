import Storage

extension Migration {
  /// The writes and responses of requests with an idempotency key.
  static let idempotentWrites = Migration(
    19,
    name: "idempotent writes",
    sql: """
      CREATE TABLE idempotent_write (
        -- SHA-256 of the caller and the key.
        key BLOB NOT NULL,
        -- 0 is the response. Otherwise the number of the root field times 1000, plus that of the write within it.
        step INTEGER NOT NULL,
        -- NULL for a caller without a session.
        person_id INTEGER,
        -- SHA-256 of the request.
        request BLOB NOT NULL,
        created_at INTEGER NOT NULL,
        -- The response, or what the write returned. NULL or empty if that cannot be restored.
        outcome BLOB,
        PRIMARY KEY (key, step)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX idempotent_write_by_age ON idempotent_write (created_at);
      """
  )
}
