import Glibc

/// Migrations while processes use the database.
extension DatabaseSetup {
  private static let earlierProcesses = ServerStatement(
    """
    SELECT string_agg('Hearth ' || version || ' on ' || host || ' (process ' || number || ')', ', ' \
    ORDER BY host, number) FROM process \
    WHERE schema_version < $1 AND seen_at > extract(epoch FROM clock_timestamp()) * 1000 - 5000
    """,
    types: [.int8]
  )

  private static let tryLock = ServerStatement("SELECT pg_try_advisory_xact_lock($1)", types: [.int8])

  /// Begins a transaction that waits for other ones of this kind, once the missing migrations can run: either all are
  /// expansions, or no process of an earlier version is there. One that has lost its connection is known by its
  /// heartbeat, and one of a version without heartbeats by the lock of its connection.
  func beginUpgrade(_ connection: BlockingConnection) throws(StartFailure) -> Contents {
    let deadline = Deadline(after: upgradeTimeout)
    while true {
      let contents = try begin(connection)
      guard case .schema(let present) = contents,
        let contraction = versions.dropFirst(present).last(where: { !$0.isExpansion })
      else { return contents }
      let processes = try reading { () throws(PostgreSQLError) in
        try Self.processes(before: contraction, connection)
      }
      if processes.isEmpty, try reading({ () throws(PostgreSQLError) in try isUnused(connection) }) { return contents }
      // Others can start meanwhile.
      _ = try reading { () throws(PostgreSQLError) in try connection.run("ROLLBACK") }
      guard !deadline.isOver else {
        throw StartFailure(
          .inUse,
          description: "The database \(url) cannot be migrated to version \(contraction.number) while earlier versions "
            + "use it: stop \(processes.isEmpty ? "them" : processes) first."
        )
      }
      usleep(250_000)
    }
  }

  /// Begins a transaction that waits for other ones of this kind.
  func begin(_ connection: BlockingConnection) throws(StartFailure) -> Contents {
    try reading { () throws(PostgreSQLError) in
      let batch = Batch()
      batch.append("BEGIN ISOLATION LEVEL READ COMMITTED")
      // The lock ends with the transaction. Its number is the ASCII codes of "hearth".
      batch.append("SELECT pg_advisory_xact_lock(114784820032616)")
      try connection.run(batch)
      return try Self.contents(connection)
    }.checked(for: url, versions)
  }

  /// Takes the lock for the transaction, unless a process holds it.
  func isUnused(_ connection: BlockingConnection) throws(PostgreSQLError) -> Bool {
    guard let lock else { return true }
    return try connection.run(Self.tryLock, ParameterBuffer(lock)).int64(0, 0) == 1
  }

  /// Names the processes that do not know a migration. Empty if there are none.
  private static func processes(
    before migration: Version,
    _ connection: BlockingConnection
  ) throws(PostgreSQLError) -> String {
    guard try connection.run("SELECT to_regclass('process') IS NOT NULL").int64(0, 0) == 1 else { return "" }
    return try connection.run(earlierProcesses, ParameterBuffer(Int64(migration.number))).text(0, 0)
  }
}
