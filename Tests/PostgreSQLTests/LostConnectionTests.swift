import Testing

@testable import PostgreSQL

/// The server closes a writer's idle connection, as at its restart.
@Suite("A lost connection of a writer", .needsPostgreSQL)
struct LostConnectionTests {
  private static let backend = ServerStatement("SELECT pg_backend_pid()")

  private func loseConnection(of writer: ServerWriter, _ database: TestDatabase) async throws {
    try await database.terminate(try await writer.execute(Self.backend) { Int($0.int64(0, 0)) })
  }

  @Test func `is replaced for statements that can be repeated`() async throws {
    let database = try await TestDatabase(CommitToken.table)
    let writer = try ServerWriter(database.options)
    try await loseConnection(of: writer, database)
    try await writer.probe()
    try await loseConnection(of: writer, database)
    #expect(try await writer.removeOldTokens() == 0)
    try await loseConnection(of: writer, database)
    #expect(try await writer.execute(ServerStatement("SELECT 7"), isRepeatable: true) { $0.int64(0, 0) } == 7)
    await writer.close()
  }

  @Test func `is an error of a statement that could have had an effect, and is replaced for the next one`()
    async throws
  {
    let database = try await TestDatabase()
    let writer = try ServerWriter(database.options)
    try await loseConnection(of: writer, database)
    let statement = ServerStatement("SELECT 7")
    #expect(await error { try await writer.execute(statement) { $0.int64(0, 0) } }?.code == .connectionLost)
    #expect(try await writer.execute(statement) { $0.int64(0, 0) } == 7)
    await writer.close()
  }
}
