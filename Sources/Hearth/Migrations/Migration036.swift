import Storage

extension Migration {
  /// PostgreSQL deletes rows of a published table only if it can tell subscribers which, by a primary key or by all
  /// columns, and a publication can be for all tables. `partition_change` has no key: see `partitionChanges`. In SQLite
  /// files nothing changes.
  static let publishedChanges = Migration(
    36,
    name: "changes that are published",
    sql: "-- PostgreSQL databases that are published delete old rows of partition_change.",
    postgreSQL: "ALTER TABLE partition_change REPLICA IDENTITY FULL;",
    isExpansion: true
  )
}
