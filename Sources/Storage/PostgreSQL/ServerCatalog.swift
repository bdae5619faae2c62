import PostgreSQL

/// What a PostgreSQL database contains that statements can name, and which tables' changes it notes by partition.
struct ServerCatalog: Sendable {
  /// The tables whose triggers note the partitions that are changed: see `PartitionChangeTable`.
  let partitioned: Set<PartitionedTable>
  /// The names of all tables and views.
  private let tables: Set<ArraySlice<UInt8>>
  /// The names of the functions whose results depend on more than their arguments.
  private let impureFunctions: Set<ArraySlice<UInt8>>

  static let statement = ServerStatement(
    """
    SELECT 1, relname::text, NULL FROM pg_class \
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'v', 'm', 'f', 'p') \
    UNION ALL SELECT DISTINCT 2, proname::text, NULL FROM pg_proc WHERE provolatile <> 'i' \
    UNION ALL SELECT 3, c.relname::text, encode(t.tgargs, 'escape') FROM pg_trigger AS t \
    JOIN pg_class AS c ON c.oid = t.tgrelid WHERE c.relnamespace = current_schema()::regnamespace \
    AND t.tgname IN (\(PartitionChangeTable.triggers.map { "'\($0)'" }.joined(separator: ", "))) \
    AND t.tgenabled IN ('O', 'A') \
    GROUP BY c.relname, t.tgargs HAVING count(*) = \(PartitionChangeTable.triggers.count)
    """
  )

  init(_ rows: ResultRows) {
    var partitioned: Set<PartitionedTable> = []
    var tables: Set<ArraySlice<UInt8>> = []
    var impureFunctions: Set<ArraySlice<UInt8>> = []
    for row in 0..<rows.count {
      let name = rows.text(row, 1)
      switch rows.int64(row, 0) {
      case 1: tables.insert(Array(name.lowercased().utf8)[...])
      case 2: impureFunctions.insert(Array(name.lowercased().utf8)[...])
      // An argument ends with a zero byte.
      default:
        let column = rows.text(row, 2).replacing("\\000", with: "")
        partitioned.insert(PartitionedTable(name, by: column))
      }
    }
    self.partitioned = partitioned
    self.tables = tables
    self.impureFunctions = impureFunctions
  }

  /// Whether everything that a statement reads is in the partitions that it names, and their changes are noted. False
  /// if it may name anything else.
  func readsOnlyPartitions(_ reads: StatementReads) -> Bool {
    guard reads.partitioned.allSatisfy({ partitioned.contains($0.table) }) else { return false }
    return SQLWords(of: reads.rest.postgreSQL).allSatisfy { word in
      if word.canNameTable, tables.contains(word.text) { return false }
      if word.isCall { return !impureFunctions.contains(word.text) }
      return !Self.impureWords.contains(word.text)
    }
  }

  /// Functions that are called without parentheses, and the times that texts can name.
  private static let impureWords = Set(
    [
      "current_date", "current_time", "current_timestamp", "localtime", "localtimestamp", "current_user",
      "session_user", "current_role", "user", "current_catalog", "current_schema",
      "now", "today", "tomorrow", "yesterday",
    ]
    .map { Array($0.utf8)[...] }
  )
}
