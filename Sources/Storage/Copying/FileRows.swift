/// The rows of a SQLite file, read on one connection.
struct FileRows {
  let connection: Connection
  let rules: CopyRules
  /// Whether the rows are for a PostgreSQL database: see `CopyRules.shortened`.
  var isForPostgreSQL = false

  func tables() throws -> [CopiedTable] {
    var columns: [(table: String, column: CopiedTable.Column)] = []
    // Shadow tables are those of full-text indexes.
    try connection.forEachRow(
      of: """
        SELECT t.name, c.name, c.type FROM pragma_table_list AS t JOIN pragma_table_xinfo(t.name) AS c
        WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite%' AND t.name <> 'migration'
        AND c.hidden = 0 ORDER BY t.name, c.name
        """
    ) { row throws(DatabaseError) in
      guard !rules.derived.contains(row.string(0)) else { return }
      let type: CopiedTable.ColumnType =
        switch row.string(2) {
        case "INTEGER": .integer
        case "TEXT": .text
        case "BLOB": .blob
        default: throw DatabaseError(.misuse, message: "\(row.string(0)).\(row.string(1)) has another type.")
        }
      columns.append((row.string(0), CopiedTable.Column(name: row.string(1), type: type)))
    }
    return CopiedTable.all(of: columns)
  }

  func forEachBatch(of table: CopiedTable, rows: Int, _ body: (RowBatch) throws -> Void) throws {
    var batch = RowBatch(of: table)
    var failure: (any Error)?
    let shortened = table.columns.map { isForPostgreSQL ? rules.shortened["\(table.name).\($0.name)"] : nil }
    try connection.withStatement("SELECT \(table.columnList) FROM \"\(table.name)\"") { statement in
      try statement.readRows { row in
        for (index, column) in table.columns.enumerated() {
          if row.isNull(index) {
            batch.appendNull()
            continue
          }
          switch column.type {
          case .integer: batch.append(row.int64(index))
          case .text:
            guard let shorten = shortened[index] else {
              batch.append(bytes: row.text(index))
              continue
            }
            var text = shorten(String(decoding: row.text(index), as: UTF8.self))
            text.withUTF8 { batch.append(bytes: UnsafeRawBufferPointer($0)) }
          case .blob: batch.append(bytes: row.blob(index))
          }
        }
        guard batch.isFull || batch.count >= rows else { return true }
        do { try body(batch) } catch { failure = error }
        batch.removeAll()
        return failure == nil
      }
    }
    if let failure { throw failure }
    if batch.count > 0 { try body(batch) }
  }
}

extension CopiedTable {
  /// Tables from their columns, which are in the order of the tables.
  static func all(of columns: [(table: String, column: Column)]) -> [CopiedTable] {
    var tables: [CopiedTable] = []
    for (name, column) in columns {
      if tables.last?.name == name, let last = tables.popLast() {
        tables.append(CopiedTable(name: name, columns: last.columns + [column]))
      } else {
        tables.append(CopiedTable(name: name, columns: [column]))
      }
    }
    return tables
  }
}
