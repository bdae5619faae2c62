import Basics
import Foundation
import Glibc
import Synchronization

/// A private PostgreSQL cluster, run by `Tests/PostgreSQL/cluster`. That of all tests starts when a test first needs
/// it. It ends with this value or with the process, also when the process is killed: the script waits for the end of
/// its standard input, whose other end this process has.
package final class PostgreSQLCluster: Sendable {
  /// Whether the packages are installed, as `Scripts/test` does it.
  package static let isInstalled = !programs("postgres").isEmpty

  /// The cluster of this process.
  package static func shared() async throws -> PostgreSQLCluster {
    try await TestThread { try started.withLock { try $0.get() } }.value
  }

  /// A cluster of its own for a test that stops it. That takes some seconds.
  package static func start() async throws -> PostgreSQLCluster {
    try await TestThread { try PostgreSQLCluster() }.value
  }

  private static let started = Mutex(Lazy())

  private struct Lazy {
    var outcome: Result<PostgreSQLCluster, any Error>?

    mutating func get() throws -> PostgreSQLCluster {
      let outcome = outcome ?? Result { try PostgreSQLCluster() }
      self.outcome = outcome
      return try outcome.get()
    }
  }

  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// The folder of the Unix socket.
  package let folder: String
  package let port: Int
  private let process: ChildProcess
  private let databases = Atomic<Int>(0)

  private init() throws {
    process = try ChildProcess([PythonScript.file("PostgreSQL/cluster")], hasInput: true)
    let line = process.readLine() ?? ""
    let parts = line.split(separator: " ")
    guard parts.count == 2, let port = Int(parts[1]) else {
      throw Failure(description: "The PostgreSQL cluster did not start: \(line)")
    }
    folder = String(parts[0])
    self.port = port
  }

  deinit { process.endInput() }

  /// Ends the server with all its connections.
  package func stop() async throws { try await perform("stop") }

  /// Starts the server again after `stop`.
  package func startAgain() async throws { try await perform("start") }

  private func perform(_ command: String) async throws {
    let answer = try await TestThread { [process] in
      try process.input?.write(contentsOf: Data("\(command)\n".utf8))
      return process.readLine()
    }.value
    guard answer == command else { throw Failure(description: "The PostgreSQL cluster has failed at \(command).") }
  }

  /// A new database, a copy of `template`. It is deleted with the cluster.
  package func makeDatabase(from template: String = "template1") async throws -> String {
    let name = "test\(databases.wrappingAdd(1, ordering: .relaxed).newValue)"
    try await execute("CREATE DATABASE \(name) TEMPLATE \(template) STRATEGY file_copy")
    return name
  }

  /// The URL of a database at the Unix socket.
  package func url(of database: String) -> String {
    "postgresql://hearth@/\(database)?host=\(folder)&port=\(port)"
  }

  /// Runs statements with psql, an independent client, and returns its output.
  @discardableResult
  package func execute(_ sql: String, in database: String = "postgres") async throws -> String {
    let options = ["--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set", "ON_ERROR_STOP=1"]
    return try await run("psql", options, on: database, input: sql)
  }

  /// Writes a backup of a database, as the guide does.
  package func dump(_ database: String, to file: String) async throws {
    try await run("pg_dump", ["--format", "custom", "--file", file], on: database)
  }

  /// Restores a backup into a database without tables.
  package func restore(_ file: String, to database: String) async throws {
    try await run("pg_restore", ["--exit-on-error", file], on: database)
  }

  /// Runs one of PostgreSQL's programs and returns its output.
  @discardableResult
  private func run(_ name: String, _ options: [String], on database: String, input: String = "") async throws -> String
  {
    // The programs in the path are scripts in Perl that look for these, which takes longer than most statements.
    let program = Self.programs(name).max() ?? name
    let connection = ["--host", folder, "--port", "\(port)", "--username", "hearth", "--dbname", database]
    return try await TestThread {
      let (end, output) = try ChildProcess.run([program] + options + connection, input: input, errors: .inOutput)
      let text = String(decoding: output, as: UTF8.self)
      guard end == .exited(0) else { throw Failure(description: text) }
      return text
    }.value
  }

  private static func programs(_ name: String) -> [String] {
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
    return versions.map { "/usr/lib/postgresql/\($0)/bin/\(name)" }.filter(FileManager.default.isExecutableFile)
  }
}
