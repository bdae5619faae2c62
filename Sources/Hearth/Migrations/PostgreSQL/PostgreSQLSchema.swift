import Storage

/// The schema of a PostgreSQL database: what all migrations make of an SQLite file, in PostgreSQL's words. A test
/// compares the two catalogues.
///
/// Numbers, keys, truth values and enumerations are `bigint`, as they are 64-bit integers in SQLite, and texts are
/// compared byte by byte (`COLLATE "C"`), whatever the collation of the database is. Foreign keys are deferrable for
/// the merge of families (`WriteTransaction.deferForeignKeys`).
enum PostgreSQLSchema {
  /// The number of the last migration whose tables `text` contains. A later migration has a text for PostgreSQL.
  static let version = 27

  /// Creates everything in an empty database.
  static let text = [familyTables, choreTables, accountTables, contactTables, functions, points, push, search].joined(
    separator: "\n\n"
  )
}

extension PostgreSQLSchemaText {
  static let ofProduct = PostgreSQLSchemaText(PostgreSQLSchema.text, version: PostgreSQLSchema.version)
}
