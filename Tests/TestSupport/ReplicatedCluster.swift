import Foundation
import Glibc

/// A private PostgreSQL primary with a synchronous standby for one test, run by `Tests/PostgreSQL/replicated`. It ends
/// with this value, or with the process.
package final class ReplicatedCluster: Sendable {
  private let input: Pipe
  private let output: Pipe
  private let folder: String
  private let ports: [String]

  /// Starts it, which takes some seconds.
  package static func start() async throws -> ReplicatedCluster {
    try await TestThread { try ReplicatedCluster() }.value
  }

  private init() throws {
    let process = Process()
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    process.executableURL = tests.appendingPathComponent("PostgreSQL/replicated")
    input = Pipe()
    output = Pipe()
    // Other processes that tests start must not keep the cluster running.
    _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let words = Self.line(of: output).split(separator: " ").map(String.init)
    guard words.count == 3 else {
      throw PostgreSQLCluster.Failure(description: "The replicated PostgreSQL cluster did not start: \(words)")
    }
    folder = words[0]
    ports = Array(words.dropFirst())
  }

  deinit { try? input.fileHandleForWriting.close() }

  private static func line(of pipe: Pipe) -> String {
    var bytes: [UInt8] = []
    while let byte = pipe.fileHandleForReading.readData(ofLength: 1).first, byte != 0x0A { bytes.append(byte) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A URL with both servers.
  package var url: String {
    "postgresql://hearth@/postgres?host=\(folder),\(folder)&port=\(ports.joined(separator: ","))"
  }

  /// Kills all processes of the primary, and returns once the standby has taken over.
  package func failOver() async throws {
    let (input, output) = (input, output)
    let answer = try await TestThread {
      try input.fileHandleForWriting.write(contentsOf: Data("fail\n".utf8))
      return Self.line(of: output)
    }.value
    guard answer == "promoted" else { throw PostgreSQLCluster.Failure(description: "The standby was not promoted.") }
  }

  /// Kills a process that serves a client of the primary, other than one of replication. The primary then ends all
  /// connections and recovers.
  package func killBackend() async throws {
    let (folder, port) = (folder, ports[0])
    try await TestThread {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = [
        "psql", "--no-psqlrc", "-qAt", "-h", folder, "-p", port, "-U", "hearth", "-d", "postgres", "-c",
        """
        SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
        ORDER BY query ILIKE '%COMMIT%' DESC, random() LIMIT 1
        """,
      ]
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      let found = Self.line(of: output)
      process.waitUntilExit()
      guard let backend = pid_t(found), kill(backend, SIGKILL) == 0 else {
        throw PostgreSQLCluster.Failure(description: "There is no process to kill: \(found)")
      }
    }.value
  }
}
