import PostgreSQL

/// The partitions that transactions of a PostgreSQL database have changed (`PartitionedTable`). Triggers of the tables
/// insert them, so no write can forget it, whichever process, statement or foreign key changes a row.
///
/// Rows are only inserted: transactions that change the same partition do not conflict because of them. A transaction
/// is compared with a snapshot and not with other transactions, since they are committed in any order.
enum PartitionChangeTable {
  /// The triggers that each table must have. Their argument is the column with the keys of the partitions.
  static let triggers = ["partition_inserted", "partition_updated", "partition_deleted", "partition_truncated"]

  /// The key that stands for all partitions, which no row has. A version is unknown if its snapshot does not contain
  /// all transactions before the one that is noted with this key.
  static let allPartitions: Int64 = 0

  /// The rows that are removed at once.
  static let removedAtOnce = 10_000

  /// The oldest transaction that can still be invisible to a new snapshot.
  static let oldestTransaction = ServerStatement("SELECT pg_snapshot_xmin(pg_current_snapshot())::text")

  /// Makes versions unknown so that what transactions before this one have changed is not needed any more.
  static let forgetVersions = ServerStatement(
    "INSERT INTO partition_change (key, change) VALUES (\(allPartitions), $1::xid8)",
    types: [.text]
  )

  /// Removes the changes that a restored backup contains of another server. Their transactions can have numbers that
  /// this server has not reached.
  static let removeUnknown = ServerStatement(
    "DELETE FROM partition_change WHERE change > pg_snapshot_xmax(pg_current_snapshot())"
  )

  static let removeChanges = ServerStatement(
    """
    DELETE FROM partition_change WHERE ctid = ANY (ARRAY(\
    SELECT ctid FROM partition_change WHERE change < $1::xid8 LIMIT \(removedAtOnce)))
    """,
    types: [.text]
  )
}
