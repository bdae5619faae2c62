import PostgreSQL

/// An empty PostgreSQL database that gets the schema and the rows of another database, in one transaction: what fails
/// leaves it empty.
package final class NewPostgreSQLData: RowWriting {
  private let target: PostgreSQLTables
  private let rules: CopyRules
  /// The statements that create the indexes, foreign keys and triggers.
  private var dropped: [String] = []

  /// Runs `body`, which fills the tables. Throws a sentence for operators if the database cannot be used or is not
  /// empty.
  package static func fill<Value>(
    _ server: PostgreSQLTarget,
    schema: PostgreSQLSchemaText,
    migrations: [Migration],
    rules: CopyRules,
    _ body: (NewPostgreSQLData) throws -> Value
  ) throws -> Value {
    var value: Value?
    try server.setup(migrations).install(schema.text, version: schema.version, later: migrations.later) { connection in
      value = try body(try NewPostgreSQLData(connection, rules: rules))
    }
    guard let value else { throw CopyFailure("The database was not filled.") }
    return value
  }

  private init(_ connection: BlockingConnection, rules: CopyRules) throws {
    target = PostgreSQLTables(connection: connection, rules: rules)
    self.rules = rules
    // Foreign keys first: their indexes are those of other tables.
    let found = try connection.run(
      """
      SELECT format('ALTER TABLE %I DROP CONSTRAINT %I', c.relname, k.conname),
        format('ALTER TABLE %I ADD CONSTRAINT %I %s', c.relname, k.conname, pg_get_constraintdef(k.oid)), 2 AS step
      FROM pg_constraint AS k JOIN pg_class AS c ON c.oid = k.conrelid
      WHERE k.contype = 'f' AND k.connamespace = current_schema()::regnamespace
      AND \(DatabaseSetup.belongsToNoExtension)
      UNION ALL
      SELECT format('DROP INDEX %I', x.relname), pg_get_indexdef(i.indexrelid), 1
      FROM pg_index AS i JOIN pg_class AS x ON x.oid = i.indexrelid JOIN pg_class AS c ON c.oid = i.indrelid
      WHERE c.relnamespace = current_schema()::regnamespace AND \(DatabaseSetup.belongsToNoExtension)
      AND NOT EXISTS (SELECT 1 FROM pg_constraint AS k WHERE k.conindid = i.indexrelid AND k.contype <> 'f')
      UNION ALL
      SELECT format('ALTER TABLE %I DISABLE TRIGGER USER', c.relname),
        format('ALTER TABLE %I ENABLE TRIGGER USER', c.relname), 3
      FROM pg_class AS c
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname <> 'migration'
      AND \(DatabaseSetup.belongsToNoExtension)
      """
    )
    let steps = (0..<found.count).map { (drop: found.text($0, 0), make: found.text($0, 1), step: found.int64($0, 2)) }
    for step in steps.sorted(by: { $0.step > $1.step }) { try connection.run(step.drop) }
    dropped = steps.sorted { $0.step < $1.step }.map(\.make)
    // Rows that the schema inserts.
    let tables = try connection.run(
      """
      SELECT string_agg(format('%I', c.relname), ', ') FROM pg_class AS c
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname <> 'migration'
      AND \(DatabaseSetup.belongsToNoExtension)
      """
    )
    try connection.run("TRUNCATE \(tables.text(0, 0))")
  }

  package func tables() throws -> [CopiedTable] { try target.tables() }

  package func forEachBatch(of table: CopiedTable, rows: Int, _ body: (RowBatch) throws -> Void) throws {
    try target.forEachBatch(of: table, rows: rows, body)
  }

  /// Inserts the rows by one statement with an array for each column.
  package func append(_ batch: RowBatch, to table: CopiedTable) throws {
    var parameters = ParameterBuffer()
    var arrays: [String] = []
    var types: [ServerType] = []
    for (index, column) in table.columns.enumerated() {
      let (array, element, name): (ServerType, ServerType, String) =
        switch column.type {
        case .integer: (.int8Array, .int8, "bigint")
        case .text: (.textArray, .text, "text")
        case .blob: (.byteaArray, .bytea, "bytea")
        }
      parameters.appendArray(of: element, count: batch.count) { row, append in
        batch.withValue(row, index, append)
      }
      types.append(array)
      arrays.append("$\(index + 1)::\(name)[]")
    }
    let text =
      "INSERT INTO \"\(table.name)\" (\(table.columnList)) SELECT * FROM unnest(\(arrays.joined(separator: ", ")))"
    try target.connection.run(ServerStatement(text, types: types), parameters)
  }

  package func complete() throws {
    let connection = target.connection
    for text in dropped + rules.postgreSQLStatements { try connection.run(text) }
    // The numbers that columns generate go on after those of the rows.
    let generated = try connection.run(
      """
      SELECT format('SELECT setval(pg_get_serial_sequence(%L, %L), coalesce((SELECT max(%I) FROM %I), 0) + 1, false)',
        c.relname, a.attname, a.attname, c.relname)
      FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
      WHERE c.relnamespace = current_schema()::regnamespace AND a.attidentity <> '' AND NOT a.attisdropped
      AND \(DatabaseSetup.belongsToNoExtension)
      """
    )
    for row in 0..<generated.count { try connection.run(generated.text(row, 0)) }
    try connection.run("ANALYZE")
  }
}

/// A new PostgreSQL database, which a copy fills.
package struct PostgreSQLTarget: Sendable {
  private let url: DatabaseURL
  private let allowsUnsafeSettings: Bool

  package init(url: String, allowsUnsafeSettings: Bool) throws {
    self.url = try DatabaseURL(url)
    self.allowsUnsafeSettings = allowsUnsafeSettings
  }

  /// Throws a sentence for operators if the database cannot be used or is not empty.
  package func requireEmpty(_ migrations: [Migration]) throws {
    let setup = setup(migrations)
    guard try setup.check() == .nothing else { throw setup.notEmpty }
  }

  fileprivate func setup(_ migrations: [Migration]) -> DatabaseSetup {
    DatabaseSetup(url, versions: migrations.map(\.version), allowsUnsafeSettings: allowsUnsafeSettings)
  }
}

extension [Migration] {
  /// The texts for PostgreSQL, by number.
  var later: [Int: String] {
    Dictionary(uniqueKeysWithValues: map { ($0.number, $0.postgreSQL) }).compactMapValues(\.self)
  }
}
