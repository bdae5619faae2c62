import PostgreSQL
import TestSupport

@testable import Hearth

/// The end and the return of a server's PostgreSQL database, and what delays it.
extension TestServer {
  /// Ends all connections to the database, and prevents new ones.
  func closeDatabase() async throws {
    let name = try await ServerDatabases.name(forFolder: directory.path)
    let cluster = try await PostgreSQLCluster.shared()
    try await cluster.execute("ALTER DATABASE \(name) ALLOW_CONNECTIONS false")
    try await cluster.execute(
      "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '\(name)'"
    )
  }

  func openDatabase() async throws {
    let name = try await ServerDatabases.name(forFolder: directory.path)
    try await PostgreSQLCluster.shared().execute("ALTER DATABASE \(name) ALLOW_CONNECTIONS true")
  }

  /// Calls `body` while no other connection can read or write a table.
  func locking<Value: Sendable>(_ table: String, _ body: () async throws -> Value) async throws -> Value {
    let name = try await ServerDatabases.name(forFolder: directory.path)
    let url = try DatabaseURL(try await PostgreSQLCluster.shared().url(of: name))
    let connection = BlockingConnection(try Connector(ConnectionOptions(parameters: url.parameters)).connect())
    try connection.run("BEGIN")
    try connection.run("LOCK TABLE \(table) IN ACCESS EXCLUSIVE MODE")
    let value = try await body()
    try connection.run("ROLLBACK")
    return value
  }
}
