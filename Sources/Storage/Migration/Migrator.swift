/// Migrates a file to the schema of the program. `PRAGMA user_version` is the number of the last migration that has
/// run.
struct Migrator {
  private let connection: Connection

  /// `connection` is the writer's, before its first write.
  init(on connection: Connection) { self.connection = connection }

  /// Runs the missing migrations in one transaction. If one is rejected or fails, the file and its version stay as they
  /// are: a commit of those before it could be copied into the file by SQLite's automatic checkpoint. Pages that do not
  /// fit into the cache are in the log once, however many migrations change them.
  func migrate(with migrations: [Migration]) throws(DatabaseError) {
    for (index, migration) in migrations.enumerated() where migration.number != index + 1 {
      throw DatabaseError(.migrationChanged, message: "Migration \(migration.number) is at position \(index + 1).")
    }
    // A table that others reference cannot be rebuilt while foreign keys are enforced, and they cannot be turned off
    // within a transaction (https://sqlite.org/lang_altertable.html#otheralter). Each migration is therefore checked at
    // its end.
    try connection.execute("PRAGMA foreign_keys = OFF")
    try transaction { () throws(DatabaseError) in
      // Within the transaction, because another process may be opening the file too.
      let version = try verifiedVersion(migrations)
      for migration in migrations where version < Int64(migration.number) { try run(migration) }
    }
    try connection.execute("PRAGMA foreign_keys = ON")
  }

  /// Runs statements of the migrated schema in one transaction.
  func run(_ statements: [SQL<Void>]) throws(DatabaseError) {
    try transaction { () throws(DatabaseError) in
      for statement in statements { try connection.execute(statement.text) }
    }
  }

  private func transaction(_ body: () throws(DatabaseError) -> Void) throws(DatabaseError) {
    try connection.execute("BEGIN IMMEDIATE")
    do throws(DatabaseError) {
      try body()
      try connection.execute("COMMIT")
    } catch {
      if connection.isInTransaction { try? connection.execute("ROLLBACK") }
      throw error
    }
  }

  /// Returns the number of the last migration that has run. Rejects a file of a later program, and a file on which
  /// other migrations ran than those given.
  private func verifiedVersion(_ migrations: [Migration]) throws(DatabaseError) -> Int64 {
    let version = try connection.int64(of: "PRAGMA user_version")
    guard version <= migrations.count else { throw .newerDatabase(version, supported: migrations.count) }
    try connection.execute(
      "CREATE TABLE IF NOT EXISTS migration(number INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum INTEGER NOT NULL) STRICT"
    )
    var checksums: [Int64: Int64] = [:]
    try connection.forEachRow(of: "SELECT number, checksum FROM migration") { row in
      checksums[row.int64(0)] = row.int64(1)
    }
    for migration in migrations where migration.number <= version {
      guard checksums[Int64(migration.number)] == migration.checksum else {
        throw DatabaseError(
          .migrationChanged,
          message:
            "The text of migration \(migration.number) (\(migration.name)) has changed since it ran on this database. "
            + "Restore it and write a new migration."
        )
      }
    }
    return version
  }

  private func run(_ migration: Migration) throws(DatabaseError) {
    do throws(DatabaseError) {
      try connection.execute(migration.sql)
    } catch {
      throw DatabaseError(
        error.code,
        message: "Migration \(migration.number) (\(migration.name)): \(error.message)",
        extendedCode: error.extendedCode
      )
    }
    guard connection.isInTransaction else {
      throw DatabaseError(.misuse, message: "Migration \(migration.number) (\(migration.name)) ends its transaction.")
    }
    var violation: String?
    try connection.forEachRow(of: "PRAGMA foreign_key_check") { row in
      violation = violation ?? "a row of \(row.string(0)) refers to a missing row of \(row.string(2))"
    }
    if let violation {
      throw DatabaseError(.foreignKey, message: "Migration \(migration.number) (\(migration.name)): \(violation).")
    }
    let statement = try connection.statement(.recordMigration)
    try statement.bind(Int64(migration.number), at: 1)
    try statement.bind(migration.name, at: 2)
    try statement.bind(migration.checksum, at: 3)
    try statement.run()
    try connection.execute("PRAGMA user_version = \(migration.number)")
  }
}

extension StatementText {
  fileprivate static let recordMigration = StatementText(
    "INSERT INTO migration(number, name, checksum) VALUES (?1, ?2, ?3)"
  )
}

extension DatabaseError {
  static func newerDatabase(_ version: Int64, supported: Int) -> DatabaseError {
    DatabaseError(
      .newerDatabase,
      message: "The database is at version \(version) and this program supports versions up to \(supported). "
        + "Use the newer program, or restore a backup made before it."
    )
  }
}
