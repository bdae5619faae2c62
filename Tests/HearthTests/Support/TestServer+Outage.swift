import TestSupport

@testable import Hearth

/// The end and the return of a server's PostgreSQL database.
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
}
