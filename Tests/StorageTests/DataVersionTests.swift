import Storage
import Synchronization
import TestSupport
import Testing

/// What a reader has read is current until a commit changes one of its tables.
@Suite("Versions of the data that was read")
struct DataVersionTests {
  private static let migrations = [
    Migration(
      1,
      name: "tables",
      sql: """
        CREATE TABLE parent(id INTEGER PRIMARY KEY, name TEXT) STRICT;
        CREATE TABLE child(id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parent ON DELETE CASCADE) STRICT;
        CREATE TABLE cleared(id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parent ON DELETE SET NULL) STRICT;
        CREATE TABLE tally(id INTEGER PRIMARY KEY, count INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE other(id INTEGER PRIMARY KEY) STRICT;
        CREATE VIEW names AS SELECT name FROM parent;
        CREATE VIRTUAL TABLE word USING fts5 (text);
        CREATE TRIGGER child_counted AFTER INSERT ON child BEGIN
          INSERT INTO tally VALUES (NEW.parent, 1) ON CONFLICT DO UPDATE SET count = count + 1;
        END;
        INSERT INTO parent VALUES (1, 'Ada'), (2, 'Grace');
        INSERT INTO child VALUES (1, 1), (2, 2);
        INSERT INTO cleared VALUES (1, 1), (2, 2);
        INSERT INTO other VALUES (1);
        INSERT INTO word VALUES ('apple');
        """
    )
  ]

  private static let reads: [String: StatementText] = [
    "parent": StatementText("SELECT count(*) FROM parent"),
    "child": StatementText("SELECT id FROM child"),
    "cleared": StatementText("SELECT parent FROM cleared"),
    "tally": StatementText("SELECT count FROM tally"),
    "other": StatementText("SELECT 1 FROM other"),
    "names": StatementText("SELECT name FROM names"),
    "word": StatementText("SELECT rowid FROM word WHERE word MATCH 'pear'"),
  ]

  private struct Write: CustomTestStringConvertible, Sendable {
    let sql: StatementText
    /// What has another content afterwards, or may have.
    let changed: Set<String>
    var testDescription: String { sql.text }

    init(_ sql: String, changes changed: Set<String>) {
      self.sql = StatementText(sql)
      self.changed = changed
    }
  }

  private static let writes = [
    Write("INSERT INTO other VALUES (2)", changes: ["other"]),
    Write("UPDATE parent SET name = 'Edith' WHERE id = 1", changes: ["parent", "names"]),
    // A trigger, and an upsert in it.
    Write("INSERT INTO child VALUES (3, 1)", changes: ["child", "tally"]),
    Write("REPLACE INTO child VALUES (1, 2)", changes: ["child", "tally"]),
    // Foreign keys.
    Write("DELETE FROM parent WHERE id = 2", changes: ["parent", "names", "child", "cleared"]),
    Write("DELETE FROM other", changes: ["other"]),
    Write("INSERT INTO word VALUES ('pear')", changes: ["word"]),
    // Changes of the schema.
    Write("CREATE INDEX parent_by_name ON parent (name)", changes: Set(reads.keys)),
  ]

  private static func request(_ database: Database, reading statements: [StatementText]) throws -> VersionedRequest {
    try VersionedRequest(database) { reader in
      for statement in statements { try reader.statement(statement).forEachRow { _ in } }
    }
  }

  @Test(arguments: writes)
  private func `are current until one of the tables is changed`(_ write: Write) async throws {
    let temporary = try TemporaryDatabase(migrations: Self.migrations)
    let database = temporary.database
    for isWritten in [false, true] {
      let requests = try Self.reads.mapValues { try Self.request(database, reading: [$0]) }
      try await database.write { transaction in
        try transaction.statement(isWritten ? write.sql : StatementText("SELECT 1 FROM parent")).run()
      }
      let changed = try requests.filter { try !$0.value.isCurrent }.keys
      #expect(Set(changed) == (isWritten ? write.changed : []))
    }
  }

  @Test func `are those of all statements since the read began, also of repeated ones`() async throws {
    let temporary = try TemporaryDatabase(migrations: Self.migrations)
    let database = temporary.database
    let (parent, other) = (try #require(Self.reads["parent"]), try #require(Self.reads["other"]))
    for _ in 0..<2 {
      let both = try Self.request(database, reading: [parent, other, parent])
      let one = try Self.request(database, reading: [parent])
      try await database.write { transaction in
        try transaction.statement(StatementText("INSERT INTO other VALUES (NULL)")).run()
      }
      #expect(try !both.isCurrent)
      #expect(try one.isCurrent)
    }
  }

  /// A request reads its caller first.
  @Test func `belong to the snapshot that a reading had before`() async throws {
    let temporary = try TemporaryDatabase(migrations: Self.migrations)
    let (parent, other) = (try #require(Self.reads["parent"]), try #require(Self.reads["other"]))
    let readers = temporary.database.makeLoopReaders(on: NoLoop())
    let reader = try readers.take()
    try reader.statement(parent).forEachRow { _ in }
    try await temporary.database.write { transaction in
      try transaction.statement(StatementText("INSERT INTO other VALUES (NULL)")).run()
    }
    #expect(reader.beginVersionedRead())
    try reader.statement(other).forEachRow { _ in }
    #expect(reader.dataVersion == nil)
    readers.giveBack(reader)
  }

  @Test(arguments: ["random()", "unixepoch('now')", "CURRENT_TIMESTAMP", "strftime('%s')", "changes()"])
  func `cover all that is read: functions that depend on more than the tables are rejected`(_ function: String) throws {
    let temporary = try TemporaryDatabase(migrations: Self.migrations)
    let reader = try temporary.database.makeLoopReaders(on: NoLoop()).take()
    #expect(throws: DatabaseError.self) { try reader.statement(StatementText("SELECT \(function) FROM other")) }
  }

  /// Statements that the writer prepared before have other effects then.
  @Test func `of all tables change with each write after the schema was changed`() async throws {
    let temporary = try TemporaryDatabase(migrations: Self.migrations)
    let insertion = StatementText("INSERT INTO parent (name) VALUES ('Joan')")
    let other = try #require(Self.reads["other"])
    func insert() async throws {
      try await temporary.database.write { transaction in try transaction.statement(insertion).run() }
    }
    let request = try Self.request(temporary.database, reading: [other])
    try await insert()
    #expect(try request.isCurrent)
    try await temporary.database.write { transaction in
      try transaction.statement(
        StatementText("CREATE TRIGGER renamed AFTER INSERT ON parent BEGIN INSERT INTO other VALUES (NULL); END")
      ).run()
    }
    for _ in 0..<3 {
      let request = try Self.request(temporary.database, reading: [other])
      try await insert()
      #expect(try !request.isCurrent)
    }
  }

  @Test func `do not change with a write that is rolled back alone`() async throws {
    let temporary = try TemporaryDatabase(migrations: Self.migrations)
    let request = try Self.request(temporary.database, reading: try [#require(Self.reads["other"])])
    struct Failure: Error {}
    await #expect(throws: Failure.self) {
      try await temporary.database.write { transaction in
        try transaction.statement(StatementText("INSERT INTO other VALUES (3)")).run()
        throw Failure()
      }
    }
    #expect(try request.isCurrent)
  }

  @Test func `are unknown if a table changed while it was read`() async throws {
    let temporary = try TemporaryDatabase(migrations: Self.migrations)
    let reader = try temporary.database.makeLoopReaders(on: NoLoop()).take()
    let other = try #require(Self.reads["other"])
    #expect(reader.beginVersionedRead())
    try reader.statement(other).forEachRow { _ in }
    try await temporary.database.write { transaction in
      try transaction.statement(StatementText("INSERT INTO other VALUES (4)")).run()
    }
    #expect(reader.dataVersion == nil)
  }

  @Test func `are not known of readers that do not answer at once`() throws {
    let temporary = try TemporaryDatabase(migrations: Self.migrations, defersReads: true)
    #expect(try !temporary.database.makeLoopReaders(on: NoLoop()).take().beginVersionedRead())
  }

  @Test func `of more tables than have numbers are still right`() async throws {
    let tables = (0..<100).map { "many\($0)" }
    let sql = tables.map { "CREATE TABLE \($0)(id INTEGER PRIMARY KEY) STRICT;" }.joined()
    let temporary = try TemporaryDatabase(migrations: [Migration(1, name: "many", sql: sql)])
    for table in tables {
      let request = try Self.request(temporary.database, reading: [StatementText("SELECT id FROM \(table)")])
      try await temporary.database.write { transaction in
        try transaction.statement(StatementText("INSERT INTO \(table) VALUES (1)")).run()
      }
      #expect(try !request.isCurrent, "\(table)")
    }
  }

  /// A reader that trusts a current version sees every write that was acknowledged before, and always the newest data.
  @Test func `are never older than an acknowledged write`() async throws {
    let temporary = try TemporaryDatabase()
    let acknowledged = Atomic<Int64>(0)
    let writes: Int64 = 2_000
    let database = temporary.database
    // It reads without a pause, which would keep a thread of other tests, and of the writes.
    let reading = TestThread {
      let readers = database.makeLoopReaders(on: NoLoop())
      var kept: (seen: Int64, version: DataVersion)?
      var last: Int64 = 0
      var hits = 0
      while last < writes {
        let known = acknowledged.load(ordering: .sequentiallyConsistent)
        guard known >= 0 else { break }
        let reader = try readers.take()
        let isVersioned = reader.beginVersionedRead()
        let seen: Int64
        if isVersioned, let kept, try reader.isCurrent(kept.version) {
          seen = kept.seen
          hits += 1
        } else {
          seen = try reader.statement(.newestEntry).first { row in row.int64(0) } ?? 0
          if isVersioned, let version = reader.dataVersion { kept = (seen, version) }
        }
        readers.giveBack(reader)
        guard seen >= max(known, last) else { throw Outdated(seen: seen, known: known, last: last) }
        last = seen
      }
      return hits
    }
    do {
      for number in 1...writes {
        try await temporary.insert(number)
        acknowledged.store(number, ordering: .sequentiallyConsistent)
      }
    } catch {
      acknowledged.store(-1, ordering: .sequentiallyConsistent)
      throw error
    }
    #expect(try await reading.value > 0)
  }

  private struct Outdated: Error {
    let seen: Int64
    let known: Int64
    let last: Int64
  }
}

extension StatementText {
  fileprivate static let newestEntry = StatementText("SELECT coalesce(max(id), 0) FROM entry")
}
