import PostgreSQL

/// The rows of a PostgreSQL database, read within one transaction of a connection.
struct PostgreSQLTables {
  let connection: BlockingConnection
  let rules: CopyRules

  func tables() throws -> [CopiedTable] {
    let rows = try connection.run(
      """
      SELECT c.relname::text, a.attname::text, a.atttypid::bigint
      FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'v') AND c.relname <> 'migration'
      AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' AND \(DatabaseSetup.belongsToNoExtension)
      ORDER BY c.relname, a.attname
      """
    )
    let columns = try (0..<rows.count).map { row in
      let type: CopiedTable.ColumnType? =
        switch ServerType(rawValue: UInt32(clamping: rows.int64(row, 2))) {
        case .int8: .integer
        case .text: .text
        case .bytea: .blob
        default: nil
        }
      return (table: rows.text(row, 0), name: rows.text(row, 1), type: type)
    }
    .filter { !rules.derived.contains($0.table) }
    .map { found in
      guard let type = found.type else { throw CopyFailure("\(found.table).\(found.name) has another type.") }
      return (table: found.table, column: CopiedTable.Column(name: found.name, type: type))
    }
    return CopiedTable.all(of: columns)
  }

  func forEachBatch(of table: CopiedTable, rows: Int, _ body: (RowBatch) throws -> Void) throws {
    try connection.run("DECLARE copied NO SCROLL CURSOR FOR SELECT \(table.columnList) FROM \"\(table.name)\"")
    while true {
      let found = try connection.run("FETCH \(rows) FROM copied")
      guard found.count > 0 else { break }
      var batch = RowBatch(of: table)
      for row in 0..<found.count {
        for column in table.columns.indices {
          // The server's format is that of the batch.
          if let value = found.value(row, column) { batch.append(bytes: value) } else { batch.appendNull() }
        }
      }
      try body(batch)
    }
    try connection.run("CLOSE copied")
  }
}
