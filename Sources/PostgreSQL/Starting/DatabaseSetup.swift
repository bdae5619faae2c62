/// Checks a database before a server uses it, and creates the schema in an empty one. Blocks.
package struct DatabaseSetup: Sendable {
  /// A migration of the program, by which a database states its version.
  package struct Version: Sendable {
    package let number: Int
    package let name: String
    package let checksum: Int64
    /// Whether programs of earlier versions can go on using the database.
    package let isExpansion: Bool

    package init(number: Int, name: String, checksum: Int64, isExpansion: Bool = false) {
      self.number = number
      self.name = name
      self.checksum = checksum
      self.isExpansion = isExpansion
    }
  }

  /// What a database contains.
  package enum Contents: Equatable, Sendable {
    /// No tables.
    case nothing
    /// The schema as the migration with this number left it.
    case schema(version: Int)
  }

  /// PostgreSQL 15 has what the statements use.
  package static let lowestVersion = 150_000

  let url: DatabaseURL
  private let options: ConnectionOptions
  let versions: [Version]
  private let allowsUnsafeSettings: Bool
  private let lowestVersion: Int
  /// The key of an advisory lock that every process holds which uses the database, alone or with others.
  let lock: Int64?
  /// The longest time that a migration waits for the end of processes of earlier versions.
  let upgradeTimeout: Duration

  /// - Parameters:
  ///   - versions: the program's migrations, in their order.
  ///   - lock: the key of the advisory lock that processes hold (`ServerWriterOptions.sharedLock`).
  ///   - allowsUnsafeSettings: accepts a server that loses commits when it crashes.
  package init(
    _ url: DatabaseURL,
    versions: [Version],
    lock: Int64? = nil,
    allowsUnsafeSettings: Bool = false,
    lowestVersion: Int = Self.lowestVersion,
    upgradeTimeout: Duration = .seconds(15)
  ) {
    self.url = url
    options = ConnectionOptions(parameters: url.parameters)
    self.versions = versions
    self.lock = lock
    self.allowsUnsafeSettings = allowsUnsafeSettings
    self.lowestVersion = lowestVersion
    self.upgradeTimeout = upgradeTimeout
  }

  /// Checks the server and the database. Changes nothing.
  package func check() throws(StartFailure) -> Contents {
    let connection = try connect()
    try checkServer(connection)
    return try reading { () throws(PostgreSQLError) in try Self.contents(connection) }.checked(for: url, versions)
  }

  /// Creates the schema if the database is empty, and runs the migrations that it lacks. Servers that start at the same
  /// time wait for each other: see also `beginUpgrade`. Returns what the database contained.
  ///
  /// - Parameters:
  ///   - version: the number of the last migration that the schema contains. Nil: it contains all.
  ///   - later: the texts of the later migrations, by number.
  @discardableResult
  package func install(
    _ schema: String,
    version: Int? = nil,
    later: [Int: String] = [:]
  ) throws(StartFailure) -> Contents {
    // A migration can take longer than statements may, and others wait for it.
    let connection = try connect(hasLimits: false)
    try checkServer(connection)
    let contents = try beginUpgrade(connection)
    let isChanged = try apply(schema, version: version, later: later, to: contents, connection)
    try requireRights(onAllOf: [schema] + later.values, connection)
    if isChanged { try commit(connection) }
    return contents
  }

  /// Returns whether anything was changed.
  @discardableResult
  func apply(
    _ schema: String,
    version: Int?,
    later: [Int: String],
    to contents: Contents,
    _ connection: BlockingConnection
  ) throws(StartFailure) -> Bool {
    let first = version ?? versions.count
    var steps: [(text: String, versions: ArraySlice<Version>)] = []
    let present: Int
    switch contents {
    case .nothing:
      steps.append((text: Self.table + "\n" + schema, versions: versions.prefix(first)))
      present = first
    case .schema(let version): present = version
    }
    for (index, version) in versions.enumerated().dropFirst(present) {
      guard let text = later[version.number] else {
        throw StartFailure(.failed, description: "The database \(url) cannot be migrated to version \(version.number).")
      }
      steps.append((text: text, versions: versions[index...index]))
    }
    guard !steps.isEmpty else { return false }
    try reading { () throws(PostgreSQLError) in
      for step in steps {
        // One statement: a pipeline accepts no text of several.
        try connection.run("DO $install$ BEGIN EXECUTE $schema$\(step.text)$schema$; END $install$")
        for version in step.versions {
          let parameters = ParameterBuffer(Int64(version.number), version.name, version.checksum)
          try connection.run(Self.record, parameters)
        }
      }
      for version in versions where version.isExpansion {
        try connection.run(Self.recordExpansion, ParameterBuffer(Int64(version.number)))
      }
    }
    return true
  }

  func commit(_ connection: BlockingConnection) throws(StartFailure) {
    try reading { () throws(PostgreSQLError) in
      let committed = try connection.run("COMMIT")
      guard committed.commandTag == "COMMIT" else {
        throw PostgreSQLError(.aborted, message: "The transaction was not committed.")
      }
    }
  }

  /// The same as in an SQLite file, and whether a migration is an expansion.
  private static let table = """
    CREATE TABLE migration (
      number bigint PRIMARY KEY,
      name text COLLATE "C" NOT NULL,
      checksum bigint NOT NULL,
      expands bigint NOT NULL DEFAULT 0
    );
    COMMENT ON TABLE migration IS 'The migrations of Hearth.';
    """
  private static let record = ServerStatement(
    "INSERT INTO migration (number, name, checksum) VALUES ($1, $2, $3)",
    types: [.int8, .text, .int8]
  )
  private static let recordExpansion = ServerStatement(
    "UPDATE migration SET expands = 1 WHERE number = $1 AND expands = 0",
    types: [.int8]
  )

  /// - Parameter hasLimits: whether statements have the time limits of `ConnectionOptions`. They can take hours else.
  func connect(hasLimits: Bool = true) throws(StartFailure) -> BlockingConnection {
    var options = options
    if !hasLimits {
      options.statementTimeout = .zero
      options.idleTransactionTimeout = .zero
    }
    do throws(PostgreSQLError) {
      let connection = try Connector(options).connect()
      return hasLimits ? BlockingConnection(connection) : BlockingConnection(connection, timeout: .seconds(86_400))
    } catch {
      throw StartFailure(error, connectingTo: url)
    }
  }

  func reading<Value>(_ body: () throws(PostgreSQLError) -> Value) throws(StartFailure) -> Value {
    do throws(PostgreSQLError) {
      return try body()
    } catch {
      // A role that may only read and change rows.
      if error.sqlState == "42501" {
        throw StartFailure(
          .missingRights,
          description:
            "The user of the database \(url) lacks a right (\(error.message)): grant it, or let the owner run hearth migrate."
        )
      }
      throw StartFailure(.failed, description: "The database \(url) cannot be used: \(error.message)")
    }
  }

  func checkServer(_ connection: BlockingConnection) throws(StartFailure) {
    let version = connection.pipeline.serverVersion
    guard version >= lowestVersion else {
      throw StartFailure(
        .unsupportedVersion,
        description: "The database server is PostgreSQL \(version / 10_000).\(version % 10_000), and version "
          + "\(lowestVersion / 10_000) or newer is required."
      )
    }
    guard connection.pipeline.serverParameter("server_encoding") == "UTF8" else {
      throw StartFailure(
        .wrongEncoding,
        description: "The database \(url) must have the encoding UTF8: create it again with it."
      )
    }
    let settings = try reading { () throws(PostgreSQLError) in
      let rows = try connection.run(
        """
        SELECT current_setting('transaction_read_only'), current_setting('fsync'), \
        current_setting('full_page_writes'), current_setting('synchronous_commit')
        """
      )
      return (0..<4).map { rows.text(0, $0) }
    }
    guard settings[0] == "off" else {
      throw StartFailure(
        .readOnly,
        description: "The database \(url) is read-only: it is a standby, or its user may not write."
      )
    }
    let names = ["fsync", "full_page_writes", "synchronous_commit"]
    if let index = names.indices.first(where: { settings[$0 + 1] == "off" }), !allowsUnsafeSettings {
      throw StartFailure(
        .unsafeSettings,
        description: "The database server has \(names[index]) = off, so that it loses data when it crashes: turn it on."
      )
    }
  }

  static func contents(_ connection: BlockingConnection) throws(PostgreSQLError) -> Found {
    // The tables of the schema in which new tables are created.
    let tables = try connection.run(
      """
      SELECT c.relname::text, coalesce(string_agg(a.attname, ' ' ORDER BY a.attnum), '')::text \
      FROM pg_class AS c LEFT JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped \
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f') \
      AND \(belongsToNoExtension) GROUP BY c.oid, c.relname ORDER BY c.relname
      """
    )
    let names = (0..<tables.count).map { (name: tables.text($0, 0), columns: tables.text($0, 1)) }
    guard !names.isEmpty else { return Found(other: nil, migrations: [:], newestContraction: 0) }
    guard names.contains(where: { $0.name == "migration" && $0.columns.hasPrefix("number name checksum") }) else {
      return Found(other: names[0].name, migrations: [:], newestContraction: 0)
    }
    let rows = try connection.run("SELECT number, checksum, to_jsonb(m) ->> 'expands' = '1' FROM migration AS m")
    let contractions = (0..<rows.count).filter { rows.int64($0, 2) == 0 }.map { Int(clamping: rows.int64($0, 0)) }
    let migrations = (0..<rows.count).map { (Int(clamping: rows.int64($0, 0)), rows.int64($0, 1)) }
    return Found(
      other: migrations.isEmpty ? "migration" : nil,
      migrations: Dictionary(migrations) { first, _ in first },
      newestContraction: contractions.max() ?? 0
    )
  }

  /// What was found in a database.
  struct Found {
    /// A table of another program.
    let other: String?
    /// The checksums of the migrations that the database records.
    let migrations: [Int: Int64]
    /// The number of the last migration that programs of earlier versions do not survive.
    let newestContraction: Int

    func checked(for url: DatabaseURL, _ versions: [Version]) throws(StartFailure) -> Contents {
      if let other {
        throw StartFailure(
          .foreignDatabase,
          description:
            "The database \(url) belongs to another program: it has the table \(other). Use an empty database."
        )
      }
      guard let newest = migrations.keys.max() else { return .nothing }
      for version in versions where version.number <= newest && migrations[version.number] != version.checksum {
        throw StartFailure(
          .foreignDatabase,
          description:
            "The database \(url) belongs to another program, or its migration \(version.number) is another one."
        )
      }
      guard newestContraction <= versions.count else {
        throw StartFailure(
          .newerDatabase,
          description:
            "The database \(url) is at version \(newest) and this program supports versions up to \(versions.count). "
            + "Use the newer program, or restore a backup made before it."
        )
      }
      return .schema(version: newest)
    }
  }
}
