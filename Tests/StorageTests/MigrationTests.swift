import Foundation
import Storage
import TestSupport
import Testing

@Suite("Migrations")
struct MigrationTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.path + "/test.db" }
  let first = Migration(1, name: "one", sql: "CREATE TABLE one(id INTEGER PRIMARY KEY); INSERT INTO one VALUES (1)")
  let second = Migration(2, name: "two", sql: "CREATE TABLE two(id INTEGER PRIMARY KEY, one INTEGER REFERENCES one)")

  init() throws { directory = try TemporaryDirectory() }

  func open(_ migrations: [Migration]) throws -> Database { try Database(path: path, migrations: migrations) }

  func tables() throws -> [String] {
    let reader = try Database.reader(of: path)
    var names: [String] = []
    try reader.statement(.tableNames).forEachRow { row in names.append(row.string(0)) }
    return names
  }

  @Test func `run in order on a fresh file`() throws {
    _ = try open([first, second])
    #expect(try tables() == ["migration", "one", "two"])
  }

  @Test func `run once, and only those that are new`() throws {
    _ = try open([first])
    #expect(try tables() == ["migration", "one"])
    _ = try open([first, second])
    _ = try open([first, second])
    #expect(try tables() == ["migration", "one", "two"])
  }

  @Test(arguments: [0, 1, 70])
  func `reject a database of another program, and change nothing`(version: Int) throws {
    let sql = "CREATE TABLE note(text); PRAGMA user_version = \(version)"
    let script = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript('\(sql)')"
    #expect(try ChildProcess.run(["python3", "-c", script, path]).end == .exited(0))
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let error = #expect(throws: DatabaseError.self) { try open([first]) }
    #expect(error?.code == .foreignFile)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test func `reject a file of a newer program`() throws {
    _ = try open([first, second])
    let error = #expect(throws: DatabaseError.self) { try open([first]) }
    #expect(error?.code == .newerDatabase)
  }

  @Test func `detect one that was edited after it ran`() throws {
    _ = try open([first, second])
    let edited = Migration(1, name: "one", sql: first.sql + " ")
    let error = #expect(throws: DatabaseError.self) { try open([edited, second]) }
    #expect(error?.code == .migrationChanged)
    #expect(
      error?.message
        == "The text of migration 1 (one) has changed since it ran on this database. "
        + "Restore it and write a new migration."
    )
  }

  @Test func `reject numbers with a gap`() throws {
    let error = #expect(throws: DatabaseError.self) { try open([second]) }
    #expect(error?.code == .migrationChanged)
  }

  @Test(arguments: [
    ("CREATE TABLE three(id); INSERT INTO nowhere VALUES (1)", DatabaseError.Code.misuse),
    ("CREATE TABLE three(id); INSERT INTO two VALUES (1, 99)", .foreignKey),
  ])
  func `roll back one that fails`(sql: String, code: DatabaseError.Code) throws {
    _ = try open([first, second])
    let error = #expect(throws: DatabaseError.self) {
      try open([first, second, Migration(3, name: "three", sql: sql)])
    }
    #expect(error?.code == code)
    #expect(error?.message.contains("Migration 3 (three)") == true)
    #expect(try tables() == ["migration", "one", "two"])
    _ = try open([first, second])
  }

  @Test func `leave the file as it was when one fails after a large one, so that the program before still opens it`()
    async throws
  {
    try await open([first]).close()
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    // More pages than SQLite's automatic checkpoint waits for.
    let large = Migration(
      2,
      name: "large",
      sql: """
        CREATE TABLE large(content BLOB);
        WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 3000)
        INSERT INTO large SELECT zeroblob(4000) FROM n;
        """
    )
    let third = Migration(3, name: "three", sql: "INSERT INTO nowhere VALUES (1)")
    let error = #expect(throws: DatabaseError.self) { try open([first, large, third]) }
    #expect(error?.message.contains("Migration 3 (three)") == true)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    try await open([first]).close()
    #expect(try tables() == ["migration", "one"])
  }

  @Test func `report one that ends its transaction, and cannot roll back what it did before`() throws {
    _ = try open([first, second])
    let third = Migration(3, name: "three", sql: "CREATE TABLE three(id); COMMIT; BEGIN; ROLLBACK")
    let error = #expect(throws: DatabaseError.self) { try open([first, second, third]) }
    #expect(error?.code == .misuse)
    #expect(error?.message == "Migration 3 (three) ends its transaction.")
    #expect(try tables() == ["migration", "one", "three", "two"])
    _ = try open([first, second])
  }

  @Test func `can rebuild a table that others reference`() throws {
    let rebuild = Migration(
      3,
      name: "rebuild",
      sql: """
        CREATE TABLE fresh(id INTEGER PRIMARY KEY, name TEXT);
        INSERT INTO fresh(id) SELECT id FROM one;
        DROP TABLE one;
        ALTER TABLE fresh RENAME TO one;
        """
    )
    let link = Migration(4, name: "link", sql: "INSERT INTO two VALUES (1, 1)")
    _ = try open([first, second, rebuild, link])
    #expect(try tables() == ["migration", "one", "two"])
  }

  @Test func `report that a file is not a database`() throws {
    try Data(repeating: 0x41, count: 8_192).write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: DatabaseError.self) { try open([first]) }
    #expect(error?.code == .corrupt)
  }

  @Test func `run once when many open the file at the same time`() async throws {
    for round in 0..<5 {
      let path = path + "\(round)"
      let (first, second) = (first, second)
      try await withThrowingTaskGroup { group in
        for _ in 0..<8 { group.addTask { try Database(path: path, migrations: [first, second]) } }
        // None is closed before all are open.
        let databases = try await group.reduce(into: []) { $0.append($1) }
        #expect(databases.count == 8)
      }
    }
  }
}

extension StatementText {
  fileprivate static let tableNames = StatementText("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
}
