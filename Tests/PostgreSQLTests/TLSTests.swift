import TestSupport
import Testing

@testable import PostgreSQL

@Suite("Connections over TLS", .needsPostgreSQL)
struct TLSTests {
  private func connect(
    host: String,
    password: String = "secret",
    authority: String? = nil
  ) async throws -> BlockingTestConnection {
    let database = try await TestDatabase()
    return try await BlockingTestConnection(
      database.options(
        host: host,
        (name: "password", value: password),
        (name: "sslmode", value: "verify-full"),
        (name: "sslrootcert", value: authority ?? database.cluster.folder + "/ca.pem")
      )
    )
  }

  @Test func `the server's certificate is verified`() async throws {
    let connection = try await connect(host: "localhost")
    #expect(
      try await connection.numbers("SELECT ssl::int FROM pg_stat_ssl WHERE pid = pg_backend_pid()") == [1]
    )
  }

  @Test func `long results and parameters pass over TLS`() async throws {
    let connection = try await connect(host: "localhost")
    try await connection.with { connection throws in
      let parameters = ParameterBuffer(String(repeating: "x", count: 3_000_000))
      let batches = (0..<4).map { _ in Batch() }
      for batch in batches { batch.append(ServerStatement("SELECT $1", types: [.text], slot: 0), parameters) }
      for batch in batches.dropLast() { connection.submit(batch) }
      try connection.run(batches[3])
      #expect(batches.allSatisfy { $0.results.first?.text(0, 0).utf8.count == 3_000_000 })
    }
  }

  @Test func `a certificate for another name is rejected`() async throws {
    let failure = await error { try await connect(host: "127.0.0.1") }
    #expect(failure?.code == .connecting)
    #expect(failure?.message.contains("does not match host name") == true, "\(failure?.message ?? "")")
  }

  @Test func `a certificate of another authority is rejected`() async throws {
    // The server's certificate is no authority.
    let folder = try await PostgreSQLCluster.shared().folder
    let failure = await error { try await connect(host: "localhost", authority: folder + "/server.pem") }
    #expect(failure?.message.contains("certificate verify failed") == true, "\(failure?.message ?? "")")
  }

  @Test func `a wrong password is an error of the connection`() async throws {
    let failure = await error { try await connect(host: "localhost", password: "wrong") }
    #expect(failure?.code == .connecting)
    #expect(failure?.message.contains("password authentication failed") == true, "\(failure?.message ?? "")")
  }
}
