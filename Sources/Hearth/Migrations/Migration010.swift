import Storage

extension Migration {
  /// Rejections: who has rejected a request or invitation of whom, for as long as it must not be repeated.
  static let rejections = Migration(
    10,
    name: "rejections",
    sql: """
      CREATE TABLE contact_rejection (
        -- Who had asked.
        from_id INTEGER NOT NULL REFERENCES person (id),
        to_id INTEGER NOT NULL REFERENCES person (id),
        rejected_at INTEGER NOT NULL,
        PRIMARY KEY (from_id, to_id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX contact_rejection_by_age ON contact_rejection (rejected_at);
      """
  )
}
