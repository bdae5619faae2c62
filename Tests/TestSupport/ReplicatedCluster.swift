import Foundation
import Glibc

/// A private PostgreSQL primary with a synchronous standby for one test, run by `Tests/PostgreSQL/replicated`. It ends
/// with this value, or with the process.
package final class ReplicatedCluster: Sendable {
  private let process: ChildProcess
  private let folder: String
  private let ports: [String]

  /// Starts it, which takes some seconds.
  package static func start() async throws -> ReplicatedCluster {
    try await TestThread { try ReplicatedCluster() }.value
  }

  private init() throws {
    process = try ChildProcess([PythonScript.file("PostgreSQL/replicated")], hasInput: true)
    let words = (process.readLine() ?? "").split(separator: " ").map(String.init)
    guard words.count == 3 else {
      throw PostgreSQLCluster.Failure(description: "The replicated PostgreSQL cluster did not start: \(words)")
    }
    folder = words[0]
    ports = Array(words.dropFirst())
  }

  deinit { process.endInput() }

  /// A URL with both servers.
  package var url: String {
    "postgresql://hearth@/postgres?host=\(folder),\(folder)&port=\(ports.joined(separator: ","))"
  }

  /// Kills all processes of the primary, and returns once the standby has taken over.
  package func failOver() async throws {
    let answer = try await TestThread { [process] in
      try process.input?.write(contentsOf: Data("fail\n".utf8))
      return process.readLine()
    }.value
    guard answer == "promoted" else { throw PostgreSQLCluster.Failure(description: "The standby was not promoted.") }
  }

  /// Kills a process that serves a client of the primary, other than one of replication. The primary then ends all
  /// connections and recovers.
  package func killBackend() async throws {
    let (folder, port) = (folder, ports[0])
    try await TestThread {
      let (_, output) = try ChildProcess.run([
        "psql", "--no-psqlrc", "-qAt", "-h", folder, "-p", port, "-U", "hearth", "-d", "postgres", "-c",
        """
        SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
        ORDER BY query ILIKE '%COMMIT%' DESC, random() LIMIT 1
        """,
      ])
      let found = String(decoding: output, as: UTF8.self).trimmingCharacters(in: .newlines)
      guard let backend = pid_t(found), kill(backend, SIGKILL) == 0 else {
        throw PostgreSQLCluster.Failure(description: "There is no process to kill: \(found)")
      }
    }.value
  }
}
