import TestSupport
import Testing

@testable import PostgreSQL

@Suite("A connection that waits for its results", .needsPostgreSQL)
struct ConnectionTests {
  private static let echo = ServerStatement(
    "SELECT $1, $2, $3, $4, $5, $6, $7, $8",
    types: [.int8, .text, .bytea, .float8, .int8Array, .text, .bytea, .int8]
  )

  @Test(arguments: [nil, 0])
  func `values of all types arrive as they were sent`(slot: Int?) async throws {
    let connection = try await TestDatabase().connect()
    try await connection.with { connection throws in
      var parameters = ParameterBuffer()
      parameters.append(Int64.min)
      parameters.append("Zoë 👪 \u{0} end")
      parameters.append(bytes: [0, 255, 0])
      parameters.append(-0.1)
      parameters.append([Int64.max, -1, 0])
      parameters.append("")
      parameters.append(bytes: [])
      parameters.appendNull()
      let statement = ServerStatement(Self.echo.text, types: Self.echo.types, slot: slot)
      let rows = try connection.run(statement, parameters)
      #expect(rows.count == 1 && rows.columnCount == 8)
      #expect(rows.int64(0, 0) == .min)
      #expect(rows.text(0, 1) == "Zoë 👪 \u{FFFF} end")
      #expect(rows.bytes(0, 2) == [0, 255, 0])
      #expect(rows.double(0, 3) == -0.1)
      #expect(rows.text(0, 5) == "" && !rows.isNull(0, 5))
      #expect(rows.bytes(0, 6) == [] && !rows.isNull(0, 6))
      #expect(rows.isNull(0, 7) && rows.int64(0, 7) == 0)
    }
  }

  @Test func `integers of any width, and truth values, are numbers`() async throws {
    let connection = try await TestDatabase().connect()
    try await connection.with { connection throws in
      let rows = try connection.run(
        "SELECT 1::int2, -2::int4, 3::int8, true, false, NULL, 'text', 2.5::float4, count(*) FROM pg_class WHERE false"
      )
      #expect((0..<8).map { rows.int64(0, $0) } == [1, -2, 3, 1, 0, 0, 0, 0])
      #expect(rows.double(0, 7) == 2.5 && rows.double(0, 2) == 3 && rows.int64(0, 8) == 0)
      // Outside of the rows and columns.
      #expect(rows.int64(1, 0) == 0 && rows.text(0, 9) == "" && rows.isNull(-1, 0) && rows.bytes(0, -1) == [])
    }
  }

  @Test(arguments: [[], [7], [5, -3, 5, .max, .min]] as [[Int64]])
  func `an array of keys keeps its order`(keys: [Int64]) async throws {
    let connection = try await TestDatabase().connect()
    try await connection.with { connection throws in
      var parameters = ParameterBuffer()
      parameters.append(keys)
      let rows = try connection.run(
        ServerStatement("SELECT value, slot FROM unnest($1) WITH ORDINALITY AS k(value, slot)", types: [.int8Array]),
        parameters
      )
      #expect((0..<rows.count).map { rows.int64($0, 0) } == keys)
      #expect((0..<rows.count).map { rows.int64($0, 1) } == Array(1...Int64(keys.count + 1)).dropLast())
    }
  }

  @Test func `batches that are submitted together are answered in order`() async throws {
    let connection = try await TestDatabase().connect()
    try await connection.with { connection throws in
      let statement = ServerStatement("SELECT $1 + 1", types: [.int8], slot: 2)
      let batches = (0..<50).map { _ in Batch() }
      for (index, batch) in batches.enumerated() {
        batch.append(statement, ParameterBuffer(Int64(index)))
        batch.append(statement, ParameterBuffer(Int64(1000 + index)))
        if index < 49 { connection.submit(batch) }
      }
      try connection.run(batches[49])
      for (index, batch) in batches.enumerated() {
        #expect(batch.isDone && batch.failure == nil)
        #expect(batch.results.map { $0.int64(0, 0) } == [Int64(index + 1), Int64(index + 1001)])
      }
    }
  }

  /// Both are longer than the buffers of the socket: writes and reads are partial, and reading must go on while
  /// something is unsent.
  @Test func `long parameters and long results pass at the same time`() async throws {
    let connection = try await TestDatabase().connect()
    try await connection.with { connection throws in
      let text = String(repeating: "0123456789abcdef", count: 1 << 16)
      let parameters = ParameterBuffer(text)
      let batches = (0..<8).map { _ in Batch() }
      for batch in batches { batch.append(ServerStatement("SELECT $1", types: [.text], slot: 0), parameters) }
      for batch in batches.dropLast() { connection.submit(batch) }
      try connection.run(batches[7])
      #expect(batches.allSatisfy { $0.results.first?.text(0, 0) == text })
    }
  }

  @Test func `a statement that fails fails its batch, and the next one runs`() async throws {
    let connection = try await TestDatabase("CREATE TABLE t (id bigint CONSTRAINT one_row UNIQUE)").connect()
    try await connection.with { connection throws in
      let insert = ServerStatement("INSERT INTO t VALUES ($1)", types: [.int8], slot: 0)
      let (failing, next) = (Batch(), Batch())
      for number: Int64 in [1, 2, 1, 3] { failing.append(insert, ParameterBuffer(number)) }
      next.append("SELECT count(*) FROM t")
      connection.submit(failing)
      let rows = try connection.run(next)[0]
      #expect(failing.isDone && failing.results.count == 2)
      #expect(failing.failure?.sqlState == "23505" && failing.failure?.code == .statement)
      #expect(failing.failure?.constraint == "one_row" && failing.failure?.sql == insert.text)
      // The statements of a batch without BEGIN are one transaction.
      #expect(rows.int64(0, 0) == 0)
    }
  }

  @Test func `a transaction that has failed stays failed until it is rolled back`() async throws {
    let connection = try await TestDatabase().connect()
    try await connection.with { connection throws in
      let batch = Batch()
      batch.append("BEGIN")
      batch.append("SELECT 1 / 0")
      #expect(throws: PostgreSQLError.self) { try connection.run(batch) }
      #expect(batch.failure?.sqlState == "22012")
      #expect(connection.pipeline.isInTransaction)
      #expect(throws: PostgreSQLError.self) { try connection.run("SELECT 1") }
      // The server answers the COMMIT of a failed transaction without an error.
      let committed = try connection.run("COMMIT")
      #expect(committed.commandTag == "ROLLBACK")
      #expect(!connection.pipeline.isInTransaction)
    }
  }

  @Test func `a statement is prepared once, also when its first batch fails`() async throws {
    let connection = try await TestDatabase().connect()
    try await connection.with { connection throws in
      let statement = ServerStatement("SELECT $1 * 2", types: [.int8], slot: 5)
      let (failing, next) = (Batch(), Batch())
      failing.append("SELECT 1 / 0")
      failing.append(statement, ParameterBuffer(Int64(1)))
      next.append(statement, ParameterBuffer(Int64(21)))
      connection.submit(failing)
      #expect(try connection.run(next)[0].int64(0, 0) == 42)
      #expect(failing.failure?.sqlState == "22012")
      let prepared = try connection.run("SELECT name, generic_plans FROM pg_prepared_statements")
      #expect(prepared.count == 1 && prepared.text(0, 0) == "h5")
    }
  }

  @Test func `a statement that could not be prepared is prepared again`() async throws {
    let connection = try await TestDatabase().connect()
    try await connection.with { connection throws in
      let statement = ServerStatement("SELECT count(*) FROM later", slot: 1)
      let batch = Batch()
      batch.append("SELECT 1")
      batch.append(statement)
      let failure = #expect(throws: PostgreSQLError.self) { try connection.run(batch) }
      #expect(failure?.sqlState == "42P01" && failure?.sql == statement.text)
      try connection.run("CREATE TABLE later (id bigint)")
      #expect(try connection.run(statement).int64(0, 0) == 0)
    }
  }

  @Test func `wrong counts of parameters are faults of the program, and nothing is sent`() async throws {
    let connection = try await TestDatabase().connect()
    try await connection.with { connection throws in
      let statement = ServerStatement("SELECT $1", types: [.int8], slot: 0)
      let failure = #expect(throws: PostgreSQLError.self) { try connection.run(statement) }
      #expect(failure?.code == .misuse)
      #expect(try connection.run(statement, ParameterBuffer(Int64(3))).int64(0, 0) == 3)
    }
  }

  @Test func `the server's settings are those that statements rely on`() async throws {
    let connection = try await TestDatabase().connect()
    try await connection.with { connection throws in
      func setting(_ name: String) throws -> String { try connection.run("SHOW \(name)").text(0, 0) }
      #expect(try setting("plan_cache_mode") == "force_generic_plan")
      #expect(try setting("jit") == "off")
      #expect(try setting("statement_timeout") == "5s")
      #expect(try setting("idle_in_transaction_session_timeout") == "10s")
      #expect(try setting("client_encoding") == "UTF8")
      #expect(try setting("application_name") == "hearth")
    }
  }

  @Test func `the server ends the session of a machine that has disappeared`() async throws {
    let database = try await TestDatabase()
    // Only TCP has these.
    let connection = try await BlockingTestConnection(
      database.options(host: "localhost", (name: "password", value: "secret"))
    )
    try await connection.with { connection throws in
      func setting(_ name: String) throws -> String { try connection.run("SHOW \(name)").text(0, 0) }
      #expect(try setting("tcp_keepalives_idle") == "10")
      #expect(try setting("tcp_keepalives_interval") == "5")
      #expect(try setting("tcp_keepalives_count") == "3")
      #expect(try setting("tcp_user_timeout") == "15000")
    }
  }

  @Test func `settings of the URL come first, and a name of the program is kept`() async throws {
    let database = try await TestDatabase()
    let options = database.options(
      host: database.cluster.folder,
      (name: "options", value: "-c jit=on -c work_mem=7MB"),
      (name: "application_name", value: "family")
    )
    let connection = try await BlockingTestConnection(options)
    try await connection.with { connection throws in
      #expect(try connection.run("SHOW work_mem").text(0, 0) == "7MB")
      #expect(try connection.run("SHOW jit").text(0, 0) == "off")
      #expect(try connection.run("SHOW application_name").text(0, 0) == "family")
    }
  }

  @Test(.enabled(if: PgBouncer.isInstalled, "PgBouncer is not installed: Debian's package is pgbouncer."))
  func `a pool of sessions has the settings, too`() async throws {
    let database = try await TestDatabase()
    let pooler = try await PgBouncer.start(.session, over: database.cluster)
    var options = database.options(host: database.cluster.folder, port: pooler.port)
    options.statementTimeout = .milliseconds(4_321)
    let connection = try await BlockingTestConnection(options)
    try await connection.with { connection throws in
      #expect(try connection.run("SHOW statement_timeout").text(0, 0) == "4321ms")
      #expect(try connection.run("SHOW plan_cache_mode").text(0, 0) == "force_generic_plan")
    }
  }

  @Test func `the server ends a statement that takes too long`() async throws {
    let database = try await TestDatabase()
    var options = database.options
    options.statementTimeout = .milliseconds(50)
    let connection = try await BlockingTestConnection(options)
    #expect(await error { try await connection.run("SELECT pg_sleep(60)") }?.sqlState == "57014")
    #expect(try await connection.numbers("SELECT 1") == [1])
  }

  @Test func `a killed server process is a lost connection, and a new one works`() async throws {
    let database = try await TestDatabase()
    let connection = try await database.connect()
    let backend = connection.connection.pipeline.backendID
    async let running = error { try await connection.run("SELECT pg_sleep(60)") }
    let other = try await database.connect()
    // The statement runs, or the connection would be lost before.
    while try await other.numbers(
      "SELECT count(*) FROM pg_stat_activity WHERE pid = \(backend) AND wait_event = 'PgSleep'"
    ) != [1] {}
    try await database.terminate(backend)
    let failure = await running
    #expect(failure?.code == .connectionLost && failure?.sqlState == "57P01")
    #expect(await error { try await connection.run("SELECT 1") }?.isFatal == true)
    #expect(try await database.connect().numbers("SELECT 1") == [1])
  }
}
