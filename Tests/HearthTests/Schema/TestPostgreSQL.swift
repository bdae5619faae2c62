import PostgreSQL
import TestSupport

@testable import Hearth
@testable import Storage

/// Databases of PostgreSQL for tests.
enum TestPostgreSQL {
  /// Creates what all migrations make of an empty database.
  static let schema = ([PostgreSQLSchema.text] + Migration.all.later.sorted { $0.key < $1.key }.map(\.value))
    .joined(separator: "\n\n")

  /// The options for a database of the test process's cluster.
  static func options(of database: String) async throws -> ConnectionOptions {
    let cluster = try await PostgreSQLCluster.shared()
    return ConnectionOptions(
      parameters: [
        (name: "host", value: cluster.folder), (name: "port", value: "\(cluster.port)"),
        (name: "dbname", value: database), (name: "user", value: "hearth"),
      ]
    )
  }

  /// Runs `body` on a thread of its own, with a connection to a new database that has the product's schema.
  static func withSchema<Result: Sendable>(
    _ body: @escaping @Sendable (BlockingConnection) throws -> Result
  ) async throws -> Result {
    let cluster = try await PostgreSQLCluster.shared()
    let database = try await cluster.makeDatabase()
    try await cluster.execute(schema, in: database)
    let options = try await options(of: database)
    return try await TestThread { try body(BlockingConnection(try Connector(options).connect())) }.value
  }
}
