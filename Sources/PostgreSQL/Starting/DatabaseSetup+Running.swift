extension DatabaseSetup {
  /// Runs statements in one transaction, without time limits, while no other process migrates the database. Fails if a
  /// server uses it.
  package func run(_ texts: [String]) throws(StartFailure) {
    let connection = try connect(hasLimits: false)
    try checkServer(connection)
    _ = try begin(connection)
    guard try reading({ () throws(PostgreSQLError) in try isUnused(connection) }) else {
      throw inUse(holding: lock, connection)
    }
    try reading { () throws(PostgreSQLError) in
      for text in texts { try connection.run(text) }
    }
    try commit(connection)
  }
}
