import Basics

/// One step of the schema's history. The text of a released migration never changes: a later change is a new migration.
package struct Migration: Sendable {
  /// Consecutive, starting at 1.
  package let number: Int
  package let name: String
  /// Statements without parameters that neither begin nor end a transaction.
  package let sql: String
  /// The same for a PostgreSQL database. Nil for a migration that the program's `PostgreSQLSchemaText` contains.
  package let postgreSQL: String?
  /// Whether programs of earlier versions can use the migrated PostgreSQL database, so that the migration need not wait
  /// for their end: it only adds what they ignore.
  package let isExpansion: Bool

  package init(_ number: Int, name: String, sql: String, postgreSQL: String? = nil, isExpansion: Bool = false) {
    self.number = number
    self.name = name
    self.sql = sql
    self.postgreSQL = postgreSQL
    self.isExpansion = isExpansion
  }

  /// The FNV-1a hash of the statements. Databases contain it, so it must be the same in every process and version, and
  /// need not resist attacks.
  var checksum: Int64 { Int64(bitPattern: FNV1a.hash(of: sql.utf8)) }
}
