import TestSupport
import Testing

@testable import PostgreSQL

/// A database of its own for a test, in the cluster of the test process.
struct TestDatabase {
  let cluster: PostgreSQLCluster
  let name: String

  init(_ schema: String = "") async throws {
    cluster = try await .shared()
    name = try await cluster.makeDatabase()
    if !schema.isEmpty { try await cluster.execute(schema, in: name) }
  }

  var options: ConnectionOptions { options(host: cluster.folder) }

  /// The options for another way to the same server, such as a proxy.
  func options(host: String, port: Int? = nil, _ others: (name: String, value: String)...) -> ConnectionOptions {
    ConnectionOptions(
      parameters: [
        (name: "host", value: host), (name: "port", value: "\(port ?? cluster.port)"), (name: "dbname", value: name),
        (name: "user", value: "hearth"),
      ] + others
    )
  }

  func connect() async throws -> BlockingTestConnection { try await BlockingTestConnection(options) }

  /// Ends the server process of a connection, as a crash of it does, and waits until it is gone.
  func terminate(_ backend: Int) async throws {
    try await cluster.execute("SELECT pg_terminate_backend(\(backend), 10000)", in: name)
  }
}

/// A connection whose calls run on threads of their own, because they block.
///
/// `@unchecked Sendable`: a test uses it by one task at a time.
final class BlockingTestConnection: @unchecked Sendable {
  let connection: BlockingConnection

  init(_ options: ConnectionOptions, timeout: Duration = .seconds(15)) async throws {
    connection = try await TestThread { Opened(try Connector(options).connect(), timeout) }.value.connection
  }

  // `@unchecked Sendable`: it is only passed from the thread that opened it.
  private struct Opened: @unchecked Sendable {
    let connection: BlockingConnection

    init(_ pipeline: PipelineConnection, _ timeout: Duration) {
      connection = BlockingConnection(pipeline, timeout: timeout)
    }
  }

  /// Runs what blocks on a thread.
  func with<Result: Sendable>(_ body: @escaping @Sendable (BlockingConnection) throws -> Result) async throws -> Result
  {
    try await TestThread { [self] in try body(connection) }.value
  }

  /// The numbers in the first column.
  func numbers(_ sql: String) async throws -> [Int64] {
    try await with { connection throws in
      let rows = try connection.run(sql)
      return (0..<rows.count).map { rows.int64($0, 0) }
    }
  }

  @discardableResult
  func run(_ sql: String) async throws -> String { try await with { try $0.run(sql).commandTag } }
}

/// Every suite that needs a server: it is skipped, and listed by `Scripts/test`, where PostgreSQL is not installed.
extension Trait where Self == ConditionTrait {
  static var needsPostgreSQL: Self {
    .enabled(if: PostgreSQLCluster.isInstalled, "Scripts/install-postgresql installs PostgreSQL.")
  }
}

func error(_ body: () async throws -> some Any) async -> PostgreSQLError? {
  do {
    _ = try await body()
    return nil
  } catch let error as PostgreSQLError {
    return error
  } catch {
    Issue.record(error)
    return nil
  }
}
