import PostgreSQL
import Synchronization
import TestSupport
import Testing

@testable import Hearth
@testable import Storage

@Suite(
  "What a PostgreSQL database needs only for some time",
  .enabled(if: PostgreSQLCluster.isInstalled, "Scripts/install-postgresql installs PostgreSQL.")
)
struct PostgreSQLSweepTests {
  @Test(arguments: ["commit_token", "partition_change"])
  func `that a table's rows cannot be deleted is reported once, and its end`(table: String) async throws {
    try await run { cluster, name, sweep, reports async throws in
      _ = try await cluster.execute("ALTER TABLE \(table) RENAME TO away", in: name)
      await sweep.begin()
      for _ in 0..<3 { await sweep.sweep() }
      let failures = reports()
      #expect(failures.count == 1)
      #expect(failures.first?.contains("\(table) cannot be deleted") == true, "\(failures)")

      _ = try await cluster.execute("ALTER TABLE away RENAME TO \(table)", in: name)
      for _ in 0..<3 { await sweep.sweep() }
      let last = reports().dropFirst()
      #expect(last == ["Old rows of the table \(table) are deleted again."])
    }
  }

  @Test func `rows are deleted while all tables are published`() async throws {
    try await run { cluster, name, sweep, reports async throws in
      _ = try await cluster.execute("CREATE PUBLICATION everything FOR ALL TABLES", in: name)
      await sweep.begin()
      for _ in 0..<3 { await sweep.sweep() }
      let failures = reports()
      #expect(failures == [])
    }
  }

  /// Calls `body` with a new database and what deletes old rows in it.
  private func run(
    _ body: (
      _ cluster: PostgreSQLCluster, _ name: String, _ sweep: ServerSweep, _ reports: () -> [String]
    ) async throws -> Void
  ) async throws {
    let cluster = try await PostgreSQLCluster.shared()
    let name = try await cluster.makeDatabase()
    let server = try PostgreSQLDatabase(
      url: cluster.url(of: name),
      schema: .ofProduct,
      migrations: Migration.all,
      allowsUnsafeSettings: true
    ) { _ in }
    let statements = try SingleStatements(server.options, limits: DatabaseLimits()) { _ in }
    let writer = try ServerWriter(server.options)
    let reports = Mutex<[String]>([])
    let sweep = ServerSweep(writer, with: statements) { report in reports.withLock { $0.append(report) } }

    try await body(cluster, name, sweep) { reports.withLock { $0 } }
    await writer.close()
    await statements.close()
  }
}
