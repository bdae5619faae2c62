import Foundation
import Glibc

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

  private let input: Pipe
  private let cluster: PostgreSQLCluster
  /// It names the Unix socket, which is in the cluster's folder.
  package let port: Int

  package static func start(_ mode: PoolMode, over cluster: PostgreSQLCluster) async throws -> PgBouncer {
    try await TestThread { try PgBouncer(mode, over: cluster) }.value
  }

  private init(_ mode: PoolMode, over cluster: PostgreSQLCluster) throws {
    let process = Process()
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    process.executableURL = tests.appendingPathComponent("PostgreSQL/pgbouncer")
    process.arguments = [cluster.folder, "\(cluster.port)", mode.rawValue]
    self.cluster = cluster
    input = Pipe()
    // Other processes that tests start must not keep it running.
    _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
    let output = Pipe()
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let port = Int(line.trimmingCharacters(in: .newlines)) else {
      throw PostgreSQLCluster.Failure(description: "PgBouncer did not start.")
    }
    self.port = port
  }

  deinit { try? input.fileHandleForWriting.close() }

  /// The URL of a database behind the pooler.
  package func url(of database: String) -> String {
    "postgresql://hearth@/\(database)?host=\(cluster.folder)&port=\(port)"
  }
}
