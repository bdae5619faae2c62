/// A SQLite file that no server uses, as the source of a copy.
package final class FileSnapshot: RowReading {
  private let rows: FileRows

  /// Fails if the file is damaged or not of the version of `migrations`. Changes nothing.
  package init(path: String, migrations: [Migration], rules: CopyRules) throws {
    let lastUse = LastUse(of: path)
    try lastUse.requireOwnFiles()
    if let loss = lastUse.loss {
      throw CopyFailure(loss + " Restore the log or a backup, or start the server with --accept-lost-log once.")
    }
    let connection = try Connection(path: path, mode: .read)
    let version = try connection.int64(of: "PRAGMA user_version")
    guard version <= migrations.count else {
      throw CopyFailure(DatabaseError.newerDatabase(version, supported: migrations.count).message)
    }
    guard version == migrations.count else {
      throw CopyFailure(
        "The database \(path) is at version \(version) of \(migrations.count): start the server with it once, which "
          + "migrates it."
      )
    }
    if let fault = try IntegrityCheck.brokenPages(in: connection).first {
      throw CopyFailure("The database \(path) is damaged: \(fault)")
    }
    try connection.execute("BEGIN")
    rows = FileRows(connection: connection, rules: rules, isForPostgreSQL: true)
  }

  package func tables() throws -> [CopiedTable] { try rows.tables() }

  package func forEachBatch(of table: CopiedTable, rows: Int, _ body: (RowBatch) throws -> Void) throws {
    try self.rows.forEachBatch(of: table, rows: rows, body)
  }
}
