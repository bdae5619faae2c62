import Foundation
import PostgreSQL
import Synchronization
import TestSupport

@testable import Hearth
@testable import Storage

/// The PostgreSQL databases of the tests' servers. A server that starts again on a folder gets the same database.
enum ServerDatabases {
  /// What the planner uses for most statements. Without it, it joins by hashing and reads rows in the order in which
  /// they are stored, so that an order is another one unless a statement asks for it. With the environment variable
  /// `HEARTH_TEST_PLANS=other` all servers of the tests have such databases.
  static let usualPlans = ["enable_nestloop", "enable_mergejoin", "enable_indexscan", "enable_indexonlyscan"]

  private static let template = Template()
  private static let names = Mutex<[String: String]>([:])

  /// The URL of the database for a data folder.
  static func url(forFolder path: String) async throws -> String {
    let cluster = try await PostgreSQLCluster.shared()
    if let known = names.withLock({ $0[path] }) { return cluster.url(of: known) }
    let name = try await cluster.makeDatabase(from: try await template.name(in: cluster))
    names.withLock { $0[path] = name }
    return cluster.url(of: name)
  }

  /// Makes the database of a folder that of another folder too.
  static func share(ofFolder path: String, withFolder other: String) async throws {
    let name = try await name(forFolder: path)
    names.withLock { $0[other] = name }
  }

  /// Forgets a folder that shares the database of another one.
  static func endSharing(withFolder path: String) { names.withLock { $0[path] = nil } }

  /// The URL of a new database for a data folder, without the schema.
  static func emptyURL(forFolder path: String) async throws -> String {
    let cluster = try await PostgreSQLCluster.shared()
    let name = try await cluster.makeDatabase()
    names.withLock { $0[path] = name }
    return cluster.url(of: name)
  }

  /// The name of the database of a server that has been started.
  static func name(forFolder path: String) async throws -> String {
    _ = try await url(forFolder: path)
    return names.withLock { $0[path] } ?? ""
  }

  /// Deletes the database of a folder that no server uses any more.
  static func drop(forFolder path: String) async throws {
    guard let name = names.withLock({ $0.removeValue(forKey: path) }) else { return }
    try await PostgreSQLCluster.shared().execute("DROP DATABASE \(name) WITH (FORCE)")
  }

  /// A database with the schema, of which the others are copies.
  private actor Template {
    private var making: Task<String, any Error>?

    func name(in cluster: PostgreSQLCluster) async throws -> String {
      let making =
        making
        ?? Task {
          if ProcessInfo.processInfo.environment["HEARTH_TEST_PLANS"] == "other" {
            for setting in usualPlans { try await cluster.execute("ALTER ROLE hearth SET \(setting) = off") }
          }
          let name = try await cluster.makeDatabase()
          let url = try DatabaseURL(cluster.url(of: name))
          let versions = Migration.all.map { migration in
            DatabaseSetup.Version(number: migration.number, name: migration.name, checksum: migration.checksum)
          }
          let setup = DatabaseSetup(url, versions: versions, allowsUnsafeSettings: true)
          _ = try await TestThread { try setup.install(TestPostgreSQL.schema) }.value
          return name
        }
      self.making = making
      return try await making.value
    }
  }
}
