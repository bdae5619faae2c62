/// Databases that are copied as a whole.
extension DatabaseSetup {
  /// Creates the schema in an empty database, and runs `body` in the same transaction. Throws if the database is not
  /// empty, or what `body` throws: the database stays empty then.
  package func install(
    _ schema: String,
    version: Int,
    later: [Int: String],
    filling body: (BlockingConnection) throws -> Void
  ) throws {
    let connection = try connect(hasLimits: false)
    try checkServer(connection)
    guard try begin(connection) == .nothing else { throw notEmpty }
    try apply(schema, version: version, later: later, to: .nothing, connection)
    try body(connection)
    try commit(connection)
  }

  package var notEmpty: StartFailure {
    StartFailure(.notEmpty, description: "The database \(url) contains data of Hearth already: use an empty database.")
  }

  /// Opens a connection without time limits to a database that has the schema of the program.
  ///
  /// - Parameter lock: the key of an advisory lock that servers hold. The connection takes it, and fails if it cannot.
  package func open(excluding lock: Int64? = nil) throws(StartFailure) -> BlockingConnection {
    let connection = try connect(hasLimits: false)
    try checkServer(connection)
    let found = try reading { () throws(PostgreSQLError) in try Self.contents(connection) }.checked(for: url, versions)
    if case .schema(let version) = found, version > versions.count {
      throw StartFailure(
        .newerDatabase,
        description: "The database \(url) is at version \(version): use the newer program for this."
      )
    }
    guard found == .schema(version: versions.count) else {
      throw StartFailure(
        .olderDatabase,
        description: found == .nothing
          ? "The database \(url) is empty."
          : "The database \(url) is of an older version: migrate it with hearth migrate."
      )
    }
    guard let lock else { return connection }
    let isFree = try reading { () throws(PostgreSQLError) in
      let statement = ServerStatement("SELECT pg_try_advisory_lock($1)", types: [.int8])
      return try connection.run(statement, ParameterBuffer(lock)).int64(0, 0) == 1
    }
    guard isFree else { throw inUse(holding: lock, connection) }
    return connection
  }

  private static let holders = ServerStatement(
    """
    SELECT string_agg(l.pid || coalesce(' from ' || host(a.client_addr), ''), ', ' ORDER BY l.pid) \
    FROM pg_locks AS l LEFT JOIN pg_stat_activity AS a ON a.pid = l.pid \
    WHERE l.locktype = 'advisory' AND l.objsubid = 1 AND l.classid::bigint << 32 | l.objid::bigint = $1 \
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND l.granted
    """,
    types: [.int8]
  )

  /// The failure that names the sessions that hold an advisory lock. One can be left of a machine that has disappeared.
  func inUse(holding lock: Int64?, _ connection: BlockingConnection) -> StartFailure {
    let sessions = (try? connection.run(Self.holders, ParameterBuffer(lock ?? 0)))?.text(0, 0) ?? ""
    let named = sessions.isEmpty ? "" : " Its sessions at the database server: \(sessions)."
    return StartFailure(.inUse, description: "The database \(url) is in use by a server: stop it first.\(named)")
  }
}
