import Basics
import TestSupport
import Testing

@testable import PostgreSQL

@Suite("URLs of databases", .needsPostgreSQL)
struct DatabaseURLTests {
  @Test(
    arguments: [
      ("", "must begin with postgresql://"),
      ("mysql://host/hearth", "must begin with postgresql://"),
      ("/var/lib/hearth", "must begin with postgresql://"),
      ("postgresql://", "must name a database"),
      ("postgresql://user:secret@host", "must name a database"),
      ("postgresql://user:secret@host/", "must name a database"),
      ("postgresql://user:secret@host/hearth?colour=green", "is not valid"),
      ("postgresql://user:sec%zzret@host/hearth", "is not valid"),
      ("postgresql://user:secret@[::1/hearth", "is not valid"),
      ("postgresql://user:secret@host:port/hearth", "has a port that is not a number"),
      ("postgresql://user:secret@host:70000/hearth", "has a port that is not a number"),
      ("postgresql://user:secret@host/hearth?replication=database", "must not open a replication connection"),
      ("postgresql://user:secret@host/\u{0}", "contains the character U+0000"),
    ]
  )
  func `a URL that is not valid is rejected by one sentence without the password`(url: String, words: String) {
    let failure = #expect(throws: StartFailure.self) { try DatabaseURL(url) }
    #expect(failure?.code == .invalidURL)
    #expect(failure?.description.contains(words) == true, "\(failure?.description ?? "")")
    #expect(failure?.description.contains("secret") == false && failure?.description.contains("sec%") == false)
  }

  @Test func `a URL is shown without user and password`() throws {
    let url = try DatabaseURL("postgresql://ann:s%40cret@db1:5433,db2/hearth?sslmode=verify-full")
    #expect("\(url)" == "db1:5433,db2/hearth")
    #expect(url.parameters.first { $0.name == "password" }?.value == "s@cret")
    #expect(url.parameters.first { $0.name == "sslmode" }?.value == "verify-full")
    // Of several servers the primary is meant.
    #expect(url.parameters.first { $0.name == "target_session_attrs" }?.value == "read-write")
    let one = try DatabaseURL("postgres:///hearth?host=/run/postgresql")
    #expect("\(one)" == "/run/postgresql/hearth")
    #expect(!one.parameters.contains { $0.name == "target_session_attrs" })
    // A copy can be made of a standby. A server needs the primary.
    #expect(one.primaryParameters.last ?? ("", "") == (name: "target_session_attrs", value: "primary"))
    #expect(url.primaryParameters.filter { $0.name == "target_session_attrs" }.map(\.value) == ["read-write"])
  }
}

/// Each state of a server and a database that Hearth cannot use is one sentence.
@Suite("Checks at the start", .needsPostgreSQL)
struct StartTests {
  private static let versions = [
    DatabaseSetup.Version(number: 1, name: "one", checksum: 11),
    DatabaseSetup.Version(number: 2, name: "two", checksum: 22),
  ]

  private func check(
    _ url: String,
    allowsUnsafeSettings: Bool = true,
    lowestVersion: Int = DatabaseSetup.lowestVersion
  ) async throws -> Result<DatabaseSetup.Contents, StartFailure> {
    try await TestThread {
      do throws(StartFailure) {
        let setup = DatabaseSetup(
          try DatabaseURL(url),
          versions: Self.versions,
          allowsUnsafeSettings: allowsUnsafeSettings,
          lowestVersion: lowestVersion
        )
        return .success(try setup.check())
      } catch {
        return .failure(error)
      }
    }.value
  }

  private func failure(_ url: String) async throws -> StartFailure? {
    guard case .failure(let failure) = try await check(url) else { return nil }
    // One sentence, or two with the remedy.
    #expect(!failure.description.contains("\n") && failure.description.count < 300)
    return failure
  }

  private func url(
    _ schema: String = ""
  ) async throws -> String {
    let database = try await TestDatabase(schema)
    return database.cluster.url(of: database.name)
  }

  @Test func `servers that cannot be reached`() async throws {
    #expect(try await failure("postgresql://localhost:1/hearth")?.code == .unreachable)
    #expect(try await failure("postgresql:///hearth?host=/nowhere")?.code == .unreachable)
    #expect(try await failure("postgresql://host.invalid/hearth")?.code == .unreachable)
    let silent = try FakeServer { client in while !client.receive().isEmpty {} }
    let refusing = try await failure("postgresql://127.0.0.1:\(silent.port)/hearth?connect_timeout=1&sslmode=disable")
    #expect(refusing?.description.contains("127.0.0.1:\(silent.port)/hearth") == true)
    #expect(refusing?.code == .unreachable)
  }

  @Test func `wrong passwords, users, databases and certificates`() async throws {
    let cluster = try await PostgreSQLCluster.shared()
    let tcp = "localhost:\(cluster.port)"
    let wrong = try await failure("postgresql://hearth:wrong@\(tcp)/postgres")
    #expect(wrong?.code == .rejectedPassword && wrong?.description.contains("wrong") == false)
    let missing = try await failure("postgresql://hearth@\(tcp)/postgres")
    #expect(missing?.description.contains("requires a password") == true)
    #expect(try await failure(cluster.url(of: "absent"))?.code == .missingDatabase)
    #expect(
      try await failure("postgresql://stranger@/postgres?host=\(cluster.folder)&port=\(cluster.port)")?.code
        == .rejectedConnection
    )
    let certificate = "sslmode=verify-full&sslrootcert=\(cluster.folder)/server.pem"
    #expect(
      try await failure("postgresql://hearth:secret@\(tcp)/postgres?\(certificate)")?.code == .untrustedCertificate
    )
  }

  @Test func `an unsupported version`() async throws {
    guard case .failure(let failure) = try await check(try await url(), lowestVersion: 990_000) else {
      Issue.record("accepted")
      return
    }
    #expect(failure.code == .unsupportedVersion)
    #expect(failure.description.contains("99 or newer is required"))
  }

  @Test func `a server that loses data when it crashes`() async throws {
    // The tests' cluster has fsync = off.
    let url = try await url()
    guard case .failure(let failure) = try await check(url, allowsUnsafeSettings: false) else {
      Issue.record("accepted")
      return
    }
    #expect(failure.code == .unsafeSettings && failure.description.contains("fsync = off"))
    #expect(try await check(url).get() == .nothing)
  }

  @Test func `a database that is read-only, or has another encoding`() async throws {
    let url = try await url()
    let options = "&options=-c%20default_transaction_read_only%3Don"
    #expect(try await failure(url + options)?.code == .readOnly)
    let cluster = try await PostgreSQLCluster.shared()
    try await cluster.execute("CREATE DATABASE latin ENCODING latin1 LOCALE 'C' TEMPLATE template0")
    #expect(try await failure(cluster.url(of: "latin"))?.code == .wrongEncoding)
  }

  @Test(
    arguments: [
      "CREATE TABLE customer (id bigint);",
      "CREATE TABLE migration (version text); CREATE TABLE a (id bigint);",
      "CREATE TABLE migration (number bigint, name text, checksum bigint);",
      "CREATE TABLE migration (number bigint, name text, checksum bigint); INSERT INTO migration VALUES (1, 'x', 5);",
      "CREATE VIEW report AS SELECT 1;",
    ]
  )
  func `a database of another program`(schema: String) async throws {
    let failure = try await failure(try await url(schema))
    #expect(failure?.code == .foreignDatabase, "\(failure?.description ?? "accepted")")
  }

  @Test func `what belongs to an extension is not a table of another program`() async throws {
    let extended = """
      CREATE EXTENSION pg_stat_statements;
      CREATE TABLE noted (id integer PRIMARY KEY);
      ALTER EXTENSION pg_stat_statements ADD TABLE noted;
      """
    #expect(try await check(try await url(extended)).get() == .nothing)
  }

  @Test func `a user who lacks a right on a table or a sequence`() async throws {
    let database = try await TestDatabase()
    let (text, clerk) = (database.cluster.url(of: database.name), "clerk_of_\(database.name)")
    let schema = "CREATE TABLE thing (id bigint);\nCREATE SEQUENCE key_block;"
    let owners = setup(try DatabaseURL(text))
    let clerks = setup(try DatabaseURL(text.replacing("hearth@", with: "\(clerk)@")))
    try await TestThread { _ = try owners.install(schema) }.value
    try await database.cluster.execute(
      """
      CREATE ROLE \(clerk) LOGIN;
      GRANT SELECT ON migration TO \(clerk);
      GRANT SELECT, INSERT ON thing TO \(clerk);
      CREATE TABLE of_operator (id bigint);
      """,
      in: database.name
    )
    let failure = await #expect(throws: StartFailure.self) {
      try await TestThread { _ = try clerks.install(schema) }.value
    }
    #expect(failure?.code == .missingRights)
    #expect(
      failure?.description.contains("lacks the right USAGE on key_block and 2 others: grant SELECT") == true,
      "\(failure as Any)"
    )
    try await database.cluster.execute(
      "GRANT UPDATE, DELETE ON thing TO \(clerk); GRANT USAGE ON SEQUENCE key_block TO \(clerk)",
      in: database.name
    )
    #expect(try await TestThread { try clerks.install(schema) }.value == .schema(version: 2))
  }

  @Test func `a database of a newer Hearth`() async throws {
    let failure = try await failure(
      try await url(
        """
        CREATE TABLE migration (number bigint, name text, checksum bigint);
        INSERT INTO migration VALUES (1, 'one', 11), (2, 'two', 22), (3, 'three', 33);
        """
      )
    )
    #expect(failure?.code == .newerDatabase)
    #expect(failure?.description.contains("at version 3 and this program supports versions up to 2") == true)
  }

  @Test func `an empty database gets the schema once, by servers that start together`() async throws {
    let text = try await url()
    #expect(try await check(text).get() == .nothing)
    let setup = DatabaseSetup(try DatabaseURL(text), versions: Self.versions, allowsUnsafeSettings: true)
    let schema = "CREATE TABLE thing (id bigint);\nDO $$ BEGIN INSERT INTO thing VALUES (1); END $$;"
    let starts = (0..<4).map { _ in TestThread { try setup.install(schema) } }
    var found: [DatabaseSetup.Contents] = []
    for start in starts { found.append(try await start.value) }
    #expect(found.count { $0 == .nothing } == 1 && found.count { $0 == .schema(version: 2) } == 3)
    #expect(try await check(text).get() == .schema(version: 2))
  }

  @Test func `a schema that fails leaves the database empty`() async throws {
    let text = try await url()
    let setup = DatabaseSetup(try DatabaseURL(text), versions: Self.versions, allowsUnsafeSettings: true)
    let failure = await #expect(throws: StartFailure.self) {
      try await TestThread { try setup.install("CREATE TABLE thing (id bigint); SELECT 1 / 0;") }.value
    }
    #expect(failure?.code == .failed)
    #expect(try await check(text).get() == .nothing)
  }

  @Test func `a database of an older version is migrated, in the order of the migrations`() async throws {
    let database = try await TestDatabase()
    let url = try DatabaseURL(database.cluster.url(of: database.name))
    let third = DatabaseSetup.Version(number: 3, name: "three", checksum: 33)
    let fourth = DatabaseSetup.Version(number: 4, name: "four", checksum: 44)
    let contents = try await TestThread {
      let old = DatabaseSetup(url, versions: Self.versions, allowsUnsafeSettings: true)
      let new = DatabaseSetup(url, versions: Self.versions + [third, fourth], allowsUnsafeSettings: true)
      let later = [3: "CREATE TABLE three (id bigint);", 4: "ALTER TABLE three ADD COLUMN name text;"]
      let first = try old.install("CREATE TABLE one (id bigint);", version: 2)
      let second = try new.install("CREATE TABLE one (id bigint);", version: 2, later: later)
      return [first, second, try new.check()]
    }.value
    #expect(contents == [.nothing, .schema(version: 2), .schema(version: 4)])
    #expect(try await database.cluster.execute("SELECT id, name FROM three", in: database.name) == "")
    // An empty database gets the schema and the later migrations.
    let empty = try await TestDatabase()
    let emptyURL = try DatabaseURL(empty.cluster.url(of: empty.name))
    let made = try await TestThread {
      let setup = DatabaseSetup(emptyURL, versions: Self.versions + [third], allowsUnsafeSettings: true)
      try setup.install("CREATE TABLE one (id bigint);", version: 2, later: [3: "CREATE TABLE three (id bigint);"])
      return try setup.check()
    }.value
    #expect(made == .schema(version: 3))
  }

  @Test func `a migration has no time limit`() async throws {
    let database = try await TestDatabase()
    let url = try DatabaseURL(database.cluster.url(of: database.name))
    let third = DatabaseSetup.Version(number: 3, name: "three", checksum: 33)
    try await TestThread {
      let setup = DatabaseSetup(url, versions: Self.versions + [third], allowsUnsafeSettings: true)
      let later = "CREATE TABLE limits AS SELECT current_setting('statement_timeout') AS value;"
      try setup.install("CREATE TABLE one (id bigint);", version: 2, later: [3: later])
    }.value
    #expect(try await database.cluster.execute("SELECT value FROM limits", in: database.name) == "0\n")
  }

  /// The table of Hearth's processes, with one of an earlier version.
  private static let processes = """
    CREATE TABLE process (version text, schema_version bigint, host text, number bigint, seen_at bigint);
    INSERT INTO process VALUES ('0.1.9', 2, 'alpha', 77, extract(epoch FROM now()) * 1000 + 600000);
    INSERT INTO process VALUES ('0.1.9', 2, 'gone', 78, extract(epoch FROM now()) * 1000 - 600000);
    """

  private func setup(
    _ url: DatabaseURL,
    _ later: DatabaseSetup.Version...,
    lock: Int64? = nil,
    timeout: Duration = .milliseconds(500)
  ) -> DatabaseSetup {
    DatabaseSetup(
      url,
      versions: Self.versions + later,
      lock: lock,
      allowsUnsafeSettings: true,
      upgradeTimeout: timeout
    )
  }

  @Test func `a migration that earlier versions do not survive waits for their end, or names them`() async throws {
    let database = try await TestDatabase()
    let url = try DatabaseURL(database.cluster.url(of: database.name))
    let third = DatabaseSetup.Version(number: 3, name: "three", checksum: 33)
    let later = [3: "CREATE TABLE three (id bigint);"]
    let (old, new) = (setup(url), setup(url, third))
    try await TestThread { _ = try old.install(Self.processes, version: 2) }.value
    let failure = await #expect(throws: StartFailure.self) {
      try await TestThread { _ = try new.install(Self.processes, version: 2, later: later) }.value
    }
    #expect(failure?.code == .inUse)
    #expect(failure?.description.contains("stop Hearth 0.1.9 on alpha (process 77) first") == true, "\(failure as Any)")
    #expect(try await check(database.cluster.url(of: database.name)).get() == .schema(version: 2))

    let waiting = setup(url, third, timeout: .seconds(60))
    async let migrated = TestThread { try waiting.install(Self.processes, version: 2, later: later) }.value
    try await database.cluster.execute("DELETE FROM process WHERE number = 77", in: database.name)
    #expect(try await migrated == .schema(version: 2))
    #expect(try await TestThread { try new.check() }.value == .schema(version: 3))
  }

  @Test(arguments: ["pg_advisory_lock", "pg_advisory_lock_shared"])
  func `a migration that earlier versions do not survive waits for a process that only holds the lock`(lock: String)
    async throws
  {
    let database = try await TestDatabase()
    let text = database.cluster.url(of: database.name)
    let url = try DatabaseURL(text)
    let third = DatabaseSetup.Version(number: 3, name: "three", checksum: 33)
    let later = [3: "CREATE TABLE three (id bigint);"]
    let (old, new) = (setup(url), setup(url, third, lock: 5))
    try await TestThread { _ = try old.install("CREATE TABLE one (id bigint);", version: 2) }.value
    let (isHeld, mayEnd) = (Gate(), Monitor(false))
    let holder = TestThread {
      let connection = BlockingConnection(try Connector(ConnectionOptions(parameters: url.parameters)).connect())
      try connection.run("SELECT \(lock)(5)")
      isHeld.open()
      mayEnd.wait { $0 ? () : nil }
    }
    await isHeld.pass()
    let failure = await #expect(throws: StartFailure.self) {
      try await TestThread { _ = try new.install("", version: 2, later: later) }.value
    }
    #expect(failure?.code == .inUse && failure?.description.contains("stop them first") == true, "\(failure as Any)")
    #expect(try await check(text).get() == .schema(version: 2))

    let waiting = setup(url, third, lock: 5, timeout: .seconds(60))
    async let migrated = TestThread { try waiting.install("", version: 2, later: later) }.value
    mayEnd.withLock { isOver, _ in isOver = true }
    mayEnd.broadcast()
    try await holder.value
    #expect(try await migrated == .schema(version: 2))
    #expect(try await TestThread { try new.check() }.value == .schema(version: 3))
  }

  @Test func `an expansion does not wait, and earlier versions start again beside it`() async throws {
    let database = try await TestDatabase()
    let url = try DatabaseURL(database.cluster.url(of: database.name))
    let third = DatabaseSetup.Version(number: 3, name: "three", checksum: 33, isExpansion: true)
    let fourth = DatabaseSetup.Version(number: 4, name: "four", checksum: 44)
    let later = [3: "CREATE TABLE three (id bigint);", 4: "CREATE TABLE four (id bigint);"]
    let (old, new, newest) = (setup(url), setup(url, third), setup(url, third, fourth))
    try await TestThread {
      _ = try old.install(Self.processes, version: 2)
      _ = try new.install(Self.processes, version: 2, later: later)
    }.value
    #expect(try await TestThread { try new.check() }.value == .schema(version: 3))
    #expect(try await TestThread { try old.install(Self.processes, version: 2) }.value == .schema(version: 3))
    // They do not copy it, since they do not know all of it.
    let failure = await #expect(throws: StartFailure.self) { try await TestThread { _ = try old.open() }.value }
    #expect(failure?.code == .newerDatabase)

    try await database.cluster.execute("DELETE FROM process", in: database.name)
    try await TestThread { _ = try newest.install(Self.processes, version: 2, later: later) }.value
    for earlier in [old, new] {
      let failure = await #expect(throws: StartFailure.self) { try await TestThread { try earlier.check() }.value }
      #expect(failure?.code == .newerDatabase)
    }
  }

  @Test func `servers that start at once migrate once`() async throws {
    let database = try await TestDatabase()
    let url = try DatabaseURL(database.cluster.url(of: database.name))
    let third = DatabaseSetup.Version(number: 3, name: "three", checksum: 33)
    let (old, new) = (setup(url), setup(url, third))
    try await TestThread { _ = try old.install("CREATE TABLE one (id bigint);", version: 2) }.value
    let found = try await withThrowingTaskGroup(of: DatabaseSetup.Contents.self) { group in
      for _ in 0..<4 {
        group.addTask {
          try await TestThread {
            try new.install("", version: 2, later: [3: "CREATE TABLE three (id bigint); INSERT INTO one VALUES (1);"])
          }.value
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(found.count { $0 == .schema(version: 2) } == 1 && found.count { $0 == .schema(version: 3) } == 3)
    #expect(try await database.cluster.execute("SELECT count(*) FROM one", in: database.name) == "1\n")
  }

  @Test func `a database whose migration has no text for PostgreSQL is not changed`() async throws {
    let database = try await TestDatabase()
    let url = try DatabaseURL(database.cluster.url(of: database.name))
    let failure = await #expect(throws: StartFailure.self) {
      try await TestThread {
        let setup = DatabaseSetup(url, versions: Self.versions, allowsUnsafeSettings: true)
        _ = try setup.install("CREATE TABLE one (id bigint);", version: 1)
      }.value
    }
    #expect(failure?.description.contains("cannot be migrated to version 2") == true)
    #expect(
      try await database.cluster.execute("SELECT count(*) FROM pg_class WHERE relname = 'one'", in: database.name)
        == "0\n"
    )
  }
}
