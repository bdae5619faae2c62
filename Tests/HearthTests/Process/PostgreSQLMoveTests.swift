import Foundation
import Storage
import TestSupport
import Testing

@testable import Hearth

@Suite(
  "hearth move between a data folder and PostgreSQL",
  .enabled(if: PostgreSQLCluster.isInstalled, "Scripts/install-postgresql installs PostgreSQL."),
  .timeLimit(.minutes(20))
)
struct PostgreSQLMoveTests {
  /// The clusters of tests do not wait for the disk.
  private static let unsafe = ["HEARTH_DATABASE_UNSAFE": "yes"]

  private func move(from source: String, to target: String) async throws -> Program.Result {
    try await Program.run("move", "--from", source, "--to", target, environment: Self.unsafe)
  }

  private func newDatabase() async throws -> (name: String, url: String) {
    let cluster = try await PostgreSQLCluster.shared()
    let name = try await cluster.makeDatabase()
    return (name, cluster.url(of: name))
  }

  /// The number of tables in a database.
  private func tables(in database: String) async throws -> String {
    try await PostgreSQLCluster.shared().execute(
      "SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace",
      in: database
    ).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Runs a server on a PostgreSQL database, with a data folder of its own.
  private func serve(
    _ url: String,
    in directory: TemporaryDirectory? = nil,
    _ body: (TestServer) async throws -> Void
  ) async throws {
    try await TestServer.run(
      in: directory,
      database: .sqlite,
      configure: { configuration in
        configuration.databaseURL = url
        configuration.allowsUnsafeDatabase = true
      },
      body
    )
  }

  private static let signedIn = "{ viewer { __typename } family { children { name avatar { url placeholder } } } }"

  /// Everything in a SQLite file but the blocks of the full-text index, whose own check is run instead.
  private func dump(_ directory: String) async throws -> String {
    let program = """
      import sqlite3, sys
      database = sqlite3.connect(sys.argv[1] + '/hearth.db')
      database.execute("INSERT INTO search_index (search_index, rank) VALUES ('integrity-check', 1)")
      names = database.execute("SELECT name FROM sqlite_schema WHERE type = 'table' "
        "AND name NOT LIKE 'search_index%'").fetchall()
      for (name,) in sorted(names):
        for row in sorted(map(repr, database.execute(f'SELECT * FROM {name}'))): print(name, row)
      for row in sorted(map(repr, database.execute("SELECT type, name, sql FROM sqlite_schema"))): print(row)
      for word in ['ada', 'grace']:
        print(database.execute('SELECT rowid FROM search_index WHERE search_index MATCH ?', [word + '*']).fetchall())
      """
    let output = try await PythonScript.run(code: program, [directory])
    try #require(output.status == 0, "\(output.output)")
    return output.output
  }

  @Test func `there and back again gives equal data, and tokens stay valid`() async throws {
    let (folder, back) = (try TemporaryDirectory(), try TemporaryDirectory())
    var token: String?
    var before: Value = nil
    try await TestServer.run(in: folder, demo: true, database: .sqlite) { server in
      let input = A02SignInTests.input("ada@example.com", Demonstration.password)
      token = try await server.visitor.perform(Documents.signIn, input)["credentials.accessToken"].string
      before = try await server.visitor.with(token: token).ask(Self.signedIn)
    }
    #expect(before["data.family.children"].list.count > 1)
    let original = try await dump(folder.path)
    let (name, url) = try await newDatabase()
    let there = try await move(from: folder.path, to: url)
    #expect(there.status == 0, "\(there.errors)")
    #expect(
      there.output.wholeMatch(of: /Moved and compared \d+ rows and 7 pictures\. The source is unchanged\.\n/) != nil
    )
    #expect(!FileManager.default.fileExists(atPath: DataFile.state.path(in: folder.path)))
    let target = back.path + "/data"
    let home = try await move(from: url, to: target)
    #expect(home.status == 0, "\(home.errors)")
    #expect(try await dump(target) == original)
    #expect(try await dump(folder.path) == original)
    #expect(try await Program.run("check", "--data", target).output == "The data is sound.\n")

    // The same clients on PostgreSQL, whose server has none of the files.
    try await serve(url) { server async throws in
      let client = server.visitor.with(token: token)
      let after = try await client.ask(Self.signedIn)
      #expect(after["data.family.children"].each("name") == before["data.family.children"].each("name"))
      for avatar in after["data.family.children"].each("avatar") where avatar["placeholder"] == false {
        let path = try #require(avatar["url"].string?.split(separator: "/").dropFirst(2).joined(separator: "/"))
        #expect(try await server.http.get("/" + path).status == 200)
        // Now from the cache.
        #expect(try await server.http.get("/" + path).status == 200)
      }
      // Generated keys go on after those that were moved.
      let photo = SamplePicture.jpeg()
      let added = try await client.perform(Documents.addItem, ["name": "Tent"], files: ["photo": photo])
      #expect(added["item.id"] != nil)
      // Mails, whose keys are generated too.
      _ = try await Household(on: server, email: "grace@example.com")
    }
    let sound = try await Program.run("check", "--database", url)
    #expect(sound.output == "The data is sound.\n", "\(sound.output)\(sound.errors)")
    #expect(try await PostgreSQLCluster.shared().execute("SELECT count(*) FROM picture_content", in: name) == "8\n")
    // The target of the second move.
    try await TestServer.run(in: TemporaryDirectory(existing: target), database: .sqlite) { server async throws in
      #expect(try await server.visitor.with(token: token).ask(Self.signedIn)["errors"] == nil)
    }
  }

  @Test func `a target that is not empty is rejected, and stays as it is`() async throws {
    let (folder, other) = (try TemporaryDirectory(), try TemporaryDirectory())
    try await TestServer.run(in: folder, database: .sqlite) { _ async throws in }
    let (_, url) = try await newDatabase()
    #expect(try await move(from: folder.path, to: url).status == 0)
    let again = try await move(from: folder.path, to: url)
    #expect(again.status != 0 && again.errors.contains("contains data of Hearth already"), "\(again.errors)")
    try Data().write(to: URL(fileURLWithPath: other.path + "/notes.txt"))
    let full = try await move(from: url, to: other.path)
    #expect(full.status != 0 && full.errors.contains("is not empty: move into a new folder"), "\(full.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: other.path) == ["notes.txt"])
    let (foreign, foreignURL) = try await newDatabase()
    try await PostgreSQLCluster.shared().execute("CREATE TABLE customer (id bigint)", in: foreign)
    let belongs = try await move(from: folder.path, to: foreignURL)
    #expect(belongs.errors.contains("belongs to another program"), "\(belongs.errors)")
    #expect(try await tables(in: foreign) == "1")
  }

  @Test func `tables and views of an extension are neither copied nor changed`() async throws {
    let (folder, back) = (try TemporaryDirectory(), try TemporaryDirectory())
    try await TestServer.run(in: folder, demo: true, database: .sqlite) { _ async throws in }
    let (name, url) = try await newDatabase()
    let cluster = try await PostgreSQLCluster.shared()
    try await cluster.execute(
      """
      CREATE EXTENSION pg_stat_statements;
      CREATE TABLE noted (id integer PRIMARY KEY, name text);
      CREATE INDEX noted_by_name ON noted (name);
      INSERT INTO noted VALUES (1, 'kept');
      ALTER EXTENSION pg_stat_statements ADD TABLE noted;
      """,
      in: name
    )
    let there = try await move(from: folder.path, to: url)
    #expect(there.status == 0, "\(there.errors)")
    #expect(try await cluster.execute("SELECT name FROM noted", in: name) == "kept\n")
    let home = try await move(from: url, to: back.path + "/data")
    #expect(home.status == 0, "\(home.errors)")
    #expect(try await Program.run("check", "--data", back.path + "/data").output == "The data is sound.\n")
  }

  @Test func `places that cannot be moved are named in one sentence`() async throws {
    let folder = try TemporaryDirectory()
    let (name, url) = try await newDatabase()
    func errors(_ source: String, _ target: String) async throws -> String {
      let result = try await move(from: source, to: target)
      #expect(result.status != 0)
      #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
      return result.errors
    }
    #expect(try await errors(folder.path, url).contains("There is no database"))
    #expect(try await errors(folder.path, folder.path).contains("Both places are folders"))
    #expect(try await errors(url, url).contains("Both places are PostgreSQL databases"))
    #expect(try await errors(url, folder.path + "/new").contains("is empty"))
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/new"))
    try await TestServer.run(in: folder, database: .sqlite) { server async throws in
      #expect(try await errors(folder.path, url).contains("in use by another server"))
    }
    let refused = try await Program.run("move", "--from", folder.path, "--to", url)
    #expect(refused.status != 0 && refused.errors.contains("fsync = off"), "\(refused.errors)")
    let absent = try await errors(folder.path, try await PostgreSQLCluster.shared().url(of: "absent"))
    #expect(absent.contains("does not exist"))
    #expect(try await tables(in: name) == "0")
    #expect(try await move(from: folder.path, to: url).status == 0)
    try await serve(url) { _ async throws in
      #expect(try await errors(url, folder.path + "/new").contains("is in use by a server"))
    }
    // A restored backup that still has somebody who was erased since.
    var record = ""
    try await TestServer.run(in: folder, database: .sqlite) { server in
      _ = try await Household(on: server)
      let reader = try server.services.database.makeReader()
      try reader.statement(Self.person).forEachRow { row in record = "\n\(row.int64(0)) \(row.int64(1)) .\n" }
    }
    try Data(record.utf8).write(to: URL(fileURLWithPath: folder.path + "/erasures"))
    let other = try await newDatabase()
    #expect(try await errors(folder.path, other.url).contains("older than 1 recorded erasures"))
    #expect(try await tables(in: other.name) == "0")
  }

  private static let person = StatementText("SELECT id, created_at FROM person")

  @Test func `a missing or damaged picture ends the move, and the target stays empty`() async throws {
    let (folder, back) = (try TemporaryDirectory(), try TemporaryDirectory())
    try await TestServer.run(in: folder, demo: true, database: .sqlite) { _ async throws in }
    let (name, url) = try await newDatabase()
    let file = "\(folder.path)/media/\(try #require(TestServer.pictureFiles(in: folder).first))"
    let content = try Data(contentsOf: URL(fileURLWithPath: file))
    try Data([1]).write(to: URL(fileURLWithPath: file))
    let damaged = try await move(from: folder.path, to: url)
    #expect(damaged.status != 0 && damaged.errors.contains("is missing or damaged"), "\(damaged.errors)")
    #expect(try await tables(in: name) == "0")
    try content.write(to: URL(fileURLWithPath: file))
    #expect(try await move(from: folder.path, to: url).status == 0)
    let cluster = try await PostgreSQLCluster.shared()
    try await cluster.execute(
      "UPDATE picture_content SET content = 'x' WHERE picture_id = (SELECT min(picture_id) FROM picture_content)",
      in: name
    )
    let target = back.path + "/data"
    let wrong = try await move(from: url, to: target)
    #expect(wrong.status != 0 && wrong.errors.contains("does not match its hash"), "\(wrong.errors)")
    #expect(!FileManager.default.fileExists(atPath: target))
    let check = try await Program.run("check", "--database", url)
    #expect(check.status != 0 && check.output.contains("does not match its hash"), "\(check.output)\(check.errors)")
    try await cluster.execute("DELETE FROM picture_content", in: name)
    let lacking = try await Program.run("check", "--database", url)
    #expect(lacking.output.contains("does not exist or cannot be read"), "\(lacking.output)")
    #expect(try await move(from: url, to: target).errors.contains("lacks the picture"))
  }

  @Test func `backup writes a file that can be served anywhere, while a server uses the database`() async throws {
    let (_, url) = try await newDatabase()
    let copy = try TemporaryDirectory()
    var token: String?
    try await serve(url) { server in
      let ada = try await Household(on: server)
      _ = try await ada.addChild("Mia")
      token = ada.parent.token
      _ = try await ada.parent.perform(Documents.addItem, ["name": "Tent"], files: ["photo": SamplePicture.jpeg()])
      let backup = try await Program.run("backup", "--database", url, copy.path + "/hearth.db")
      #expect(backup.status == 0, "\(backup.errors)")
      // Later ones share the pictures, and remove those that were removed.
      let removed = Array("a picture of a backup that was deleted".utf8)
      let pictures = MediaFolder(path: DataDirectory.mediaPath(in: copy.path))
      try pictures.write(removed[...], as: PictureHash(of: removed[...]))
      #expect(try await Program.run("backup", "--database", url, copy.path + "/later.db").status == 0)
      #expect(TestServer.pictureFiles(in: copy).count == 1)
      let again = try await Program.run("backup", "--database", url, copy.path + "/hearth.db")
      #expect(again.status != 0 && again.errors.contains("exists"), "\(again.errors)")
    }
    #expect(try await Program.run("check", "--data", copy.path).output == "The data is sound.\n")
    try await TestServer.run(in: copy, database: .sqlite) { server in
      let found = try await server.visitor.with(token: token).ask(
        "{ family { children { name } items { nodes { photo { url } } } } }"
      )
      #expect(found["data.family.children.0.name"] == "Mia")
      let url = try #require(found["data.family.items.nodes.0.photo.url"].string)
      let path = url.split(separator: "/").dropFirst(2).joined(separator: "/")
      #expect(try await server.http.get("/" + path).status == 200)
    }
  }

  @Test func `migrate with --restored is rejected while a server uses the database`() async throws {
    let (name, url) = try await newDatabase()
    func migrate(_ flags: String...) async throws -> Program.Result {
      try await Program(["migrate", "--database", url] + flags, environment: Self.unsafe).result()
    }
    let alone = try await migrate("--restored")
    #expect(alone.status == 0 && alone.output == "The database is up to date.\n", "\(alone.errors)")
    try await serve(url) { server in
      _ = try await Household(on: server)
      let positions = "SELECT max(position) FROM family_feed"
      let before = try await PostgreSQLCluster.shared().execute(positions, in: name)
      let beside = try await migrate("--restored")
      let inUse = /is in use by a server: stop it first\. Its sessions at the database server: \d+/
      #expect(beside.status != 0 && beside.errors.contains(inUse), "\(beside.errors)")
      #expect(try await PostgreSQLCluster.shared().execute(positions, in: name) == before)
      // Only lost commits concern the servers.
      #expect(try await migrate().status == 0)
    }
  }

  @Test func `seed fills an empty database, and only that`() async throws {
    let (name, url) = try await newDatabase()
    let arguments = ["seed", "--database", url, "--families", "20", "--people", "50"]
    let seeded = try await Program(arguments, environment: Self.unsafe).result()
    #expect(seeded.status == 0, "\(seeded.errors)")
    #expect(try await PostgreSQLCluster.shared().execute("SELECT count(*) > 20 FROM family", in: name) == "t\n")
    let again = try await Program(arguments, environment: Self.unsafe).result()
    #expect(again.status != 0 && again.errors.contains("use an empty database"), "\(again.errors)")
    #expect(try await Program.run("check", "--database", url).output == "The data is sound.\n")
    let folder = try TemporaryDirectory()
    let home = try await move(from: url, to: folder.path + "/data")
    #expect(home.status == 0, "\(home.errors)")
    #expect(try await Program.run("check", "--data", folder.path + "/data").output == "The data is sound.\n")
    let both = try await Program.run("check", "--data", folder.path, "--database", url)
    #expect(both.errors.contains("either --data or --database"))
  }
}
