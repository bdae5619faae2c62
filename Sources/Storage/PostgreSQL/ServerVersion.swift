import PostgreSQL

/// The version of the data that was read from a PostgreSQL database: a snapshot, and what was read in it.
struct ServerVersion: Sendable {
  /// A snapshot among those of all times and servers.
  struct Snapshot: Sendable {
    /// When the server was started, which differs after a failover. The new server gives the numbers of transactions
    /// that were lost to others.
    let serverStart: Int64
    /// When the statistics of the server were reset, which differs after one of its processes has crashed. The server
    /// then recovers without another start, and gives the numbers of transactions that were not on the disk to others.
    /// The end of a connection does not show it: an operator can end one, and a pooler keeps its own open after a
    /// crash.
    let statisticsReset: Int64
    /// The identifier of the table of changes, which differs after the data was restored.
    let table: Int64
    /// The transactions that the snapshot contains, as `pg_current_snapshot` returns them.
    let transactions: String

    /// Has no row on a standby, whose snapshots do not tell the transactions that are in progress.
    static let statement = StatementText(
      """
      SELECT \(currentStart), \(currentReset), \(currentTable), pg_current_snapshot()::text \
      WHERE NOT pg_is_in_recovery()
      """
    )

    /// `serverStart`, `statisticsReset` and `table` of a snapshot that the server makes now.
    fileprivate static let currentStart = microseconds("pg_postmaster_start_time()")
    fileprivate static let currentReset = microseconds("pg_stat_get_bgwriter_stat_reset_time()")
    fileprivate static let currentTable = "'partition_change'::regclass::oid::bigint"

    private static func microseconds(_ time: String) -> String { "(extract(epoch FROM \(time)) * 1000000)::bigint" }
  }

  let snapshot: Snapshot
  /// The partitions that were read. Nothing else was.
  let partitions: PartitionKeys

  /// Has a row if no transaction that the snapshot does not contain has changed one of the partitions.
  static let comparison = SQL<
    (
      serverStart: Int64, statisticsReset: Int64, table: Int64, transactions: String, first: Int64, second: Int64,
      all: Int64
    )
  >(
    """
    SELECT 1 WHERE NOT pg_is_in_recovery() \
    AND \(sql: Snapshot.currentStart) = \(\.serverStart) \
    AND \(sql: Snapshot.currentReset) = \(\.statisticsReset) \
    AND \(sql: Snapshot.currentTable) = \(\.table) AND NOT EXISTS (\
    SELECT 1 FROM partition_change AS c WHERE c.key IN (\(\.first), \(\.second)) \
    AND c.change >= pg_snapshot_xmin(\(\.transactions)::pg_snapshot) \
    AND NOT pg_visible_in_snapshot(c.change, \(\.transactions)::pg_snapshot)) AND NOT EXISTS (\
    SELECT 1 FROM partition_change AS c WHERE c.key = \(\.all) \
    AND c.change > pg_snapshot_xmin(\(\.transactions)::pg_snapshot))
    """
  )

  /// Whether the snapshot of `reader` contains the same. Call it in passes.
  func isCurrent(for reader: Reader) throws(DatabaseError) -> Bool {
    let all = PartitionChangeTable.allPartitions
    let first = partitions.first ?? all
    return try reader.first(
      of: Self.comparison,
      (
        serverStart: snapshot.serverStart,
        statisticsReset: snapshot.statisticsReset,
        table: snapshot.table,
        transactions: snapshot.transactions,
        first: first,
        second: partitions.second ?? first,
        all: all
      )
    ) { _ in true } ?? false
  }
}

extension ServerVersion.Snapshot {
  /// More than some ten transactions in progress are not worth their memory.
  private static let maximumBytes = 128

  init?(_ rows: ResultRows) {
    guard rows.count == 1, rows.withBytes(0, 3, { $0.count <= Self.maximumBytes }) else { return nil }
    self.init(
      serverStart: rows.int64(0, 0),
      statisticsReset: rows.int64(0, 1),
      table: rows.int64(0, 2),
      transactions: rows.text(0, 3)
    )
  }
}
