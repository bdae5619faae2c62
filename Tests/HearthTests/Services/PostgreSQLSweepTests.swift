import PostgreSQL
import Synchronization
import TestSupport
import Testing

@testable import Hearth
@testable import Storage

@Suite(
  "What a PostgreSQL database needs only for some time",
  .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed: Debian's package is postgresql-15.")
)
struct PostgreSQLSweepTests {
  @Test(arguments: ["commit_token", "partition_change"])
  func `that a table's rows cannot be deleted is reported once, and its end`(table: String) async throws {
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

    _ = try await cluster.execute("ALTER TABLE \(table) RENAME TO away", in: name)
    await sweep.begin()
    for _ in 0..<3 { await sweep.sweep() }
    let failures = reports.withLock { $0 }
    #expect(failures.count == 1)
    #expect(failures.first?.contains("\(table) cannot be deleted") == true, "\(failures)")

    _ = try await cluster.execute("ALTER TABLE away RENAME TO \(table)", in: name)
    for _ in 0..<3 { await sweep.sweep() }
    let last = reports.withLock { $0 }.dropFirst()
    #expect(last == ["Old rows of the table \(table) are deleted again."])
    await writer.close()
    await statements.close()
  }
}
