import Foundation
import Storage
import TestSupport
import Testing

@testable import Hearth

@Suite(
  "A server with a PostgreSQL database",
  .enabled(if: PostgreSQLCluster.isInstalled, "Scripts/install-postgresql installs PostgreSQL.")
)
struct PostgreSQLServerTests {
  /// What starting a server on `directory` reports.
  private func failure(in directory: TemporaryDirectory, database: TestDatabase) async throws -> String {
    do {
      try await TestServer.run(in: directory, database: database) { _ async throws in }
      return ""
    } catch let error as UnusableData {
      return error.description
    }
  }

  @Test func `the data is there after a restart`() async throws {
    let directory = try TemporaryDirectory()
    var token = ""
    try await TestServer.run(in: directory, database: .postgresql) { server in
      let ada = try await Household(on: server)
      _ = try await ada.addChild("Mia")
      token = ada.parent.token ?? ""
    }
    try await TestServer.run(in: directory, database: .postgresql) { server async throws in
      let client = server.visitor.with(token: token)
      #expect(try await client.ask("{ family { children { name } } }")["data.family.children.0.name"] == "Mia")
      #expect(!FileManager.default.fileExists(atPath: DataDirectory.databasePath(in: directory.path)))
    }
    try await ServerDatabases.drop(forFolder: directory.path)
  }

  @Test(arguments: [[], ServerDatabases.usualPlans])
  func `600 random queries get the same bytes as from SQLite, also with other plans`(disabled: [String]) async throws {
    let (file, folder) = (try TemporaryDirectory(), try TemporaryDirectory())
    let queries = try await RecordedQueries(600, seed: 19, in: file)
    let name = try await ServerDatabases.name(forFolder: folder.path)
    try await CopiedRows.replace(in: name, byThoseOf: DataDirectory.databasePath(in: file.path))
    for setting in disabled {
      try await PostgreSQLCluster.shared().execute("ALTER DATABASE \(name) SET \(setting) = off")
    }
    try await RecordedQueries.run(in: folder, .postgresql) { server in try await queries.compare(with: server) }
    try await ServerDatabases.drop(forFolder: folder.path)
  }

  @Test func `a folder of the other engine, or of another database, is rejected`() async throws {
    let (ofFile, ofServer) = (try TemporaryDirectory(), try TemporaryDirectory())
    try await TestServer.run(in: ofFile, database: .sqlite) { _ async throws in }
    #expect(try await failure(in: ofFile, database: .postgresql).contains("contains the SQLite database hearth.db"))
    try await TestServer.run(in: ofServer, database: .postgresql) { _ async throws in }
    #expect(try await failure(in: ofServer, database: .sqlite).contains("set HEARTH_DATABASE_URL"))
    try await ServerDatabases.drop(forFolder: ofServer.path)
    #expect(try await failure(in: ofServer, database: .postgresql).contains("belong to another PostgreSQL database"))
    for directory in [ofFile, ofServer] { try await ServerDatabases.drop(forFolder: directory.path) }
  }

  @Test func `pictures of another database are not deleted`() async throws {
    let directory = try TemporaryDirectory()
    let folder = directory.path + "/media/00"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let picture = folder + "/" + String(repeating: "0", count: 62)
    try Data([1]).write(to: URL(fileURLWithPath: picture))
    #expect(try await failure(in: directory, database: .postgresql).contains("belong to another database"))
    #expect(FileManager.default.fileExists(atPath: picture))
    try await ServerDatabases.drop(forFolder: directory.path)
  }

  @Test func `requests go on when the database server ends all connections`() async throws {
    try await TestServer.run(database: .postgresql) { server in
      let ada = try await Household(on: server)
      let name = try await ServerDatabases.name(forFolder: server.directory.path)
      let cluster = try await PostgreSQLCluster.shared()
      for number in 1...3 {
        try await cluster.execute(
          "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '\(name)'"
        )
        // A statement by itself, as that of the heartbeat: its failure makes `/ready` 503.
        _ = try await #require(server.services.database.processTable).entries()
        #expect(server.services.database.writeFailure == nil)
        let children = try await ada.parent.ask("{ family { children { name } } }")["data.family.children"].list
        #expect(children.count == number - 1)
        _ = try await ada.addChild("Child \(number)")
      }
    }
  }

  @Test func `a database that cannot be reached is reported, and used again`() async throws {
    let configure: (inout Configuration) -> Void = { configuration in
      configuration.databaseLimits.postgreSQL.recoveryTime = .zero
      configuration.databaseLimits.postgreSQL.connectionTimeout = .seconds(2)
    }
    try await TestServer.run(loops: 1, database: .postgresql, configure: configure) { server in
      let ada = try await Household(on: server)
      // The loop knows the session from here on.
      #expect(try await ada.parent.ask("{ family { name } }")["errors"] == nil)
      try await server.closeDatabase()
      let read = try await ada.parent.ask("{ family { name } }")
      #expect(read["errors.0.extensions.code"] == "STORAGE_UNAVAILABLE")
      let written = try await ada.parent.ask(#"mutation { addItem(input: {name: "Milk"}) { item { id } } }"#)
      #expect(written["errors.0.extensions.code"] == "STORAGE_UNAVAILABLE")
      #expect(server.services.database.writeFailure?.code == .unreachable)
      try await server.openDatabase()
      try await server.services.database.probeWrite()
      #expect(server.services.database.writeFailure == nil)
      #expect(try await ada.parent.ask("{ family { name } }")["errors"] == nil)
    }
  }

  @Test func `that writes fail is reported until one is stored, although everything else succeeds`() async throws {
    try await TestServer.run(loops: 1, database: .postgresql) { server in
      let ada = try await Household(on: server)
      let database = server.services.database
      let name = try await ServerDatabases.name(forFolder: server.directory.path)
      let cluster = try await PostgreSQLCluster.shared()
      // Every transaction of a write inserts a row into this table.
      try await cluster.execute(
        """
        CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE disk_full; END $$;
        CREATE TRIGGER fail BEFORE INSERT ON commit_token EXECUTE FUNCTION fail();
        """,
        in: name
      )
      let written = try await ada.parent.ask(#"mutation { addItem(input: {name: "Milk"}) { item { id } } }"#)
      #expect(written["errors.0.extensions.code"] == "STORAGE_UNAVAILABLE")
      #expect(try await ada.parent.ask("{ family { name } }")["errors"] == nil)
      // A statement by itself, as that of the heartbeat.
      _ = try await #require(database.processTable).entries()
      #expect(database.writeFailure?.code == .full)
      try await cluster.execute("DROP TRIGGER fail ON commit_token", in: name)
      try await database.probeWrite()
      #expect(database.writeFailure == nil)
    }
  }

  @Test func `the demo family is created, and its pictures are in the folder`() async throws {
    try await TestServer.run(demo: true, database: .postgresql) { server in
      let input = A02SignInTests.input("ada@example.com", Demonstration.password)
      let token = try await server.visitor.perform(Documents.signIn, input)["credentials.accessToken"].string
      let family = try await server.visitor.with(token: token).ask("{ family { children { name } } }")
      #expect(family["data.family.children"].list.count > 1)
      #expect(MediaFolder.hasFiles(DataDirectory.mediaPath(in: server.directory.path)))
    }
  }
}
