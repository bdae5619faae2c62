import Foundation

/// A pooler in front of a cluster, run by `Tests/PostgreSQL/pgbouncer`. It ends with this value, or with the process.
package final class PgBouncer: Sendable {
  package enum PoolMode: String, Sendable {
    case session, transaction
  }

  /// Whether the package is there, as `Scripts/test` unpacks it.
  package static var isInstalled: Bool {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    return PostgreSQLCluster.isInstalled
      && folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/pgbouncer") }
  }

  private let process: ChildProcess
  private let cluster: PostgreSQLCluster
  /// It names the Unix socket, which is in the cluster's folder.
  package let port: Int

  package static func start(_ mode: PoolMode, over cluster: PostgreSQLCluster) async throws -> PgBouncer {
    try await TestThread { try PgBouncer(mode, over: cluster) }.value
  }

  private init(_ mode: PoolMode, over cluster: PostgreSQLCluster) throws {
    let script = PythonScript.file("PostgreSQL/pgbouncer")
    process = try ChildProcess([script, cluster.folder, "\(cluster.port)", mode.rawValue], hasInput: true)
    self.cluster = cluster
    guard let port = process.readLine().flatMap({ Int($0) }) else {
      throw PostgreSQLCluster.Failure(description: "PgBouncer did not start.")
    }
    self.port = port
  }

  deinit { process.endInput() }

  /// The URL of a database behind the pooler.
  package func url(of database: String) -> String {
    "postgresql://hearth@/\(database)?host=\(cluster.folder)&port=\(port)"
  }
}
