import PostgreSQL
import TestSupport
import Testing

@testable import Hearth
@testable import Storage

@Suite(
  "Writes to the product's schema on PostgreSQL",
  .enabled(if: PostgreSQLCluster.isInstalled, "Scripts/install-postgresql installs PostgreSQL.")
)
struct PostgreSQLWriteTests {
  /// The migrations of the program, as a database records them.
  private static let versions = Migration.all.map { migration in
    DatabaseSetup.Version(number: migration.number, name: migration.name, checksum: migration.checksum)
  }

  @Test func `the schema is installed, and statements of the product run in transactions of the writer`() async throws {
    let cluster = try await PostgreSQLCluster.shared()
    let url = try DatabaseURL(cluster.url(of: try await cluster.makeDatabase()))
    let setup = DatabaseSetup(url, versions: Self.versions, allowsUnsafeSettings: true)
    let found = try await TestThread { [try setup.install(TestPostgreSQL.schema), try setup.check()] }.value
    #expect(found == [.nothing, .schema(version: Migration.all.count)])
    let writer = try ServerWriter(ConnectionOptions(parameters: url.parameters))
    let insert = Family.table.insert.statement
    let name = try await writer.write(about: WriteDomain(1)) { transaction in
      var parameters = ParameterBuffer()
      parameters.append(Int64(1))
      parameters.append("Browning")
      parameters.append("Europe/London")
      parameters.append(Int64(0))
      parameters.appendNull()
      transaction.run(ServerStatement(insert.postgreSQLText), parameters)
      return try transaction.rows(ServerStatement("SELECT name FROM family")).text(0, 0)
    }
    #expect(name == "Browning")
    await writer.close()
  }
}
