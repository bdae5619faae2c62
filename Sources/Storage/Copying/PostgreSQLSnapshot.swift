import PostgreSQL

/// A PostgreSQL database as the source of a copy.
package final class PostgreSQLSnapshot: RowReading {
  private let sourceTables: PostgreSQLTables

  /// Fails with a sentence for operators if the database cannot be used, or is not of the version of `migrations`.
  ///
  /// - Parameter excludesServers: whether no server may use the database, until the snapshot is released.
  package init(url: String, migrations: [Migration], rules: CopyRules, excludesServers: Bool) throws {
    let setup = DatabaseSetup(try DatabaseURL(url), versions: migrations.map(\.version), allowsUnsafeSettings: true)
    let connection = try setup.open(excluding: excludesServers ? PostgreSQLEngine.lock : nil)
    try connection.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    sourceTables = PostgreSQLTables(connection: connection, rules: rules)
  }

  package func tables() throws -> [CopiedTable] { try sourceTables.tables() }

  package func forEachBatch(of table: CopiedTable, rows: Int, _ body: (RowBatch) throws -> Void) throws {
    try sourceTables.forEachBatch(of: table, rows: rows, body)
  }

  /// One sentence for each foreign key that refers to missing rows.
  package func brokenReferences() throws -> [String] {
    let connection = sourceTables.connection
    // A statement for each foreign key, which counts the rows without a counterpart.
    let keys = try connection.run(
      """
      SELECT c.relname::text, r.relname::text, format('SELECT count(*) FROM %I AS c WHERE %s AND NOT EXISTS '
        '(SELECT 1 FROM %I AS r WHERE %s)', c.relname,
        string_agg(format('c.%I IS NOT NULL', a.attname), ' AND ' ORDER BY n.position), r.relname,
        string_agg(format('r.%I = c.%I', b.attname, a.attname), ' AND ' ORDER BY n.position))
      FROM pg_constraint AS k JOIN pg_class AS c ON c.oid = k.conrelid JOIN pg_class AS r ON r.oid = k.confrelid
      CROSS JOIN unnest(k.conkey, k.confkey) WITH ORDINALITY AS n (own, other, position)
      JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = n.own
      JOIN pg_attribute AS b ON b.attrelid = r.oid AND b.attnum = n.other
      WHERE k.contype = 'f' AND k.connamespace = current_schema()::regnamespace
      AND \(DatabaseSetup.belongsToNoExtension)
      GROUP BY k.oid, c.relname, r.relname ORDER BY c.relname, r.relname
      """
    )
    return try (0..<keys.count).compactMap { row in
      let count = try connection.run(keys.text(row, 2)).int64(0, 0)
      return count == 0 ? nil : "\(count) rows of \(keys.text(row, 0)) refer to missing rows of \(keys.text(row, 1))."
    }
  }
}

extension Migration {
  /// As a database states it.
  var version: DatabaseSetup.Version {
    DatabaseSetup.Version(number: number, name: name, checksum: checksum, isExpansion: isExpansion)
  }
}
