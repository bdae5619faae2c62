import PostgreSQL

/// A PostgreSQL database that a server can use: the right server, and the program's schema.
package struct PostgreSQLDatabase: Sendable {
  let options: ConnectionOptions

  /// Checks the server and the database, creates the schema if the database is empty, and runs the migrations that it
  /// lacks. Servers that start at the same time wait for each other. Blocks: call it at startup only.
  ///
  /// Throws a sentence for operators if the database cannot be used. Nothing was changed then, but for migrations if
  /// `afterLoss` is not possible because a server uses the database.
  ///
  /// - Parameters:
  ///   - url: such as `postgresql://hearth@db.example.com/hearth?sslmode=verify-full`.
  ///   - schema: creates what all `migrations` up to its version make of a SQLite file.
  ///   - afterLoss: statements that run at the end, in one transaction: see `DatabaseOpening.afterLoss`.
  ///   - isAccepted: called before anything is changed, with whether the database is empty. It throws if the database
  ///     must not be used.
  package init(
    url: String,
    schema: PostgreSQLSchemaText,
    migrations: [Migration],
    allowsUnsafeSettings: Bool,
    afterLoss: [SQL<Void>] = [],
    isAccepted: (_ isEmpty: Bool) throws -> Void
  ) throws {
    let url = try DatabaseURL(url)
    let setup = DatabaseSetup(
      url,
      versions: migrations.map(\.version),
      lock: PostgreSQLEngine.lock,
      allowsUnsafeSettings: allowsUnsafeSettings
    )
    try isAccepted(try setup.check() == .nothing)
    try setup.install(schema.text, version: schema.version, later: migrations.later)
    if !afterLoss.isEmpty { try setup.run(afterLoss.map(\.statement.postgreSQLText)) }
    options = ConnectionOptions(parameters: url.primaryParameters)
  }

  /// Creates a reader without limits for a database that servers may be using, in the version of `migrations`. For
  /// checks. Throws a sentence for operators if the database cannot be used.
  package static func reader(of url: String, migrations: [Migration]) throws -> Reader {
    let url = try DatabaseURL(url)
    let setup = DatabaseSetup(url, versions: migrations.map(\.version), allowsUnsafeSettings: true)
    return Reader(BlockingReads(BlockingSnapshot(try setup.open()), trace: nil))
  }
}

extension Database {
  /// The sentence that says why a URL cannot be that of a PostgreSQL database; nil if it can. Connects to nothing.
  package static func fault(ofURL text: String) -> String? {
    do throws(StartFailure) {
      _ = try DatabaseURL(text)
      return nil
    } catch {
      return error.description
    }
  }
}

/// The schema of a PostgreSQL database as it is created in an empty one.
package struct PostgreSQLSchemaText: Sendable {
  let text: String
  /// The number of the last migration that it contains.
  let version: Int

  package init(_ text: String, version: Int) {
    self.text = text
    self.version = version
  }
}
