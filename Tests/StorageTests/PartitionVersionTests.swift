import Testing

@testable import Storage

/// What a reader has read of one partition is current until a commit changes a row of it.
@Suite("Versions of partitions")
struct PartitionVersionTests {
  private static let chores = PartitionedTable("chore", by: "family_id")
  private static let notes = PartitionedTable("note", by: "family_id")
  private static let upper = PartitionedTable("CHORE", by: "family_id")
  private static let families = PartitionedTable("Family", by: "id")
  private static let others = PartitionedTable("other", by: "id")

  private static let migrations = [
    Migration(
      1,
      name: "tables",
      sql: """
        CREATE TABLE family(name TEXT, id INTEGER PRIMARY KEY) STRICT;
        CREATE TABLE chore(id INTEGER NOT NULL, points INTEGER, family_id INTEGER NOT NULL
          REFERENCES family ON UPDATE CASCADE ON DELETE CASCADE, PRIMARY KEY (family_id, id)) STRICT, WITHOUT ROWID;
        CREATE TABLE note(id INTEGER PRIMARY KEY, chore_id INTEGER UNIQUE, family_id INTEGER NOT NULL) STRICT;
        CREATE TABLE other(id INTEGER PRIMARY KEY, family INTEGER) STRICT;
        CREATE VIEW every AS SELECT * FROM chore;
        CREATE TRIGGER other_inserted AFTER INSERT ON other BEGIN
          UPDATE chore SET points = points + 1 WHERE family_id = NEW.family;
        END;
        INSERT INTO family VALUES ('Lovelace', 1), ('Hopper', 2), ('Curie', 3);
        INSERT INTO chore VALUES (10, 0, 1), (11, 0, 1), (20, 0, 2), (30, 0, 3);
        INSERT INTO note VALUES (1, 10, 1), (2, 20, 2);
        INSERT INTO other VALUES (100, NULL);
        """
    )
  ]

  private typealias Read = SQL<(family: Int64, other: Int64)>

  /// Statements that read one partition, called with the families 1 and 2.
  private static let partitions: [String: Read] = [
    "chores": Read("SELECT c.id FROM \(rows: chores, of: \.family) AS c"),
    "chore.id": Read("SELECT chore.id FROM \(rows: chores, of: \.family) AS chore WHERE chore.points >= 0"),
    "notes": Read("SELECT n.id FROM \(rows: notes, of: \.family) AS n"),
    "family": Read("SELECT f.name FROM \(rows: families, of: \.family) AS f"),
    "joined": Read(
      """
      SELECT c.id FROM \(rows: families, of: \.family) AS f CROSS JOIN \(rows: chores, of: \.family) AS c \
      WHERE EXISTS (SELECT 1 FROM \(rows: notes, of: \.family) AS n WHERE n.chore_id = c.id)
      """
    ),
  ]

  /// Statements that read more than one partition of `chore`, or may.
  private static let whole: [String: Read] = [
    "named beside it": Read(
      "SELECT c.id FROM \(rows: chores, of: \.family) AS c WHERE c.points <= (SELECT max(points) FROM chore)"
    ),
    "named in upper case": Read("SELECT (SELECT count(*) FROM CHORE) FROM \(rows: chores, of: \.family) AS c"),
    "by way of a view": Read("SELECT (SELECT count(*) FROM every) FROM \(rows: chores, of: \.family) AS c"),
    "two partitions of it": Read(
      "SELECT c.id FROM \(rows: chores, of: \.family) AS c, \(rows: chores, of: \.other) AS o"
    ),
    "a condition": Read("SELECT id FROM chore WHERE family_id = \(\.family)"),
    "two columns": Read(
      """
      SELECT c.id FROM \(rows: chores, of: \.family) AS c, \(rows: PartitionedTable("chore", by: "points"), of: \.other) AS o
      """
    ),
    "another spelling": Read("SELECT c.id FROM \(rows: chores, of: \.family) AS c, \(rows: upper, of: \.other) AS o"),
    "another column": Read("SELECT c.id FROM \(rows: PartitionedTable("chore", by: "points"), of: \.other) AS c"),
  ]

  private struct Write: CustomTestStringConvertible, Sendable {
    let sql: StatementText
    /// The families whose partitions are changed, of 1 and 2.
    let families: Set<Int64>
    var testDescription: String { sql.text }

    init(_ sql: String, changes families: Set<Int64>) {
      self.sql = StatementText(sql)
      self.families = families
    }
  }

  private static let writes = [
    Write("INSERT INTO chore VALUES (12, 0, 1)", changes: [1]),
    Write("UPDATE chore SET points = 5 WHERE id = 20", changes: [2]),
    Write("UPDATE chore SET points = 5 WHERE id = 30", changes: []),
    Write("UPDATE chore SET family_id = 3 WHERE family_id = 1", changes: [1]),
    Write("UPDATE chore SET family_id = 2, id = 31 WHERE family_id = 3", changes: [2]),
    Write("DELETE FROM chore WHERE id = 10", changes: [1]),
    // Without a condition, SQLite would delete all rows at once.
    Write("DELETE FROM chore", changes: [1, 2]),
    Write("DELETE FROM note", changes: [1, 2]),
    Write("INSERT INTO note VALUES (3, NULL, 2)", changes: [2]),
    Write("UPDATE note SET family_id = 3 WHERE id = 2", changes: [2]),
    // Rows that conflict are deleted.
    Write("REPLACE INTO note VALUES (3, 10, 3)", changes: [1]),
    Write("REPLACE INTO chore VALUES (20, 7, 2)", changes: [2]),
    Write("INSERT INTO chore VALUES (20, 0, 2) ON CONFLICT DO UPDATE SET points = 3", changes: [2]),
    Write("INSERT INTO chore VALUES (20, 0, 2) ON CONFLICT DO NOTHING", changes: []),
    // Foreign keys.
    Write("DELETE FROM family WHERE id = 2", changes: [2]),
    Write("UPDATE family SET id = 4 WHERE id = 1", changes: [1]),
    Write("UPDATE family SET name = 'Byron' WHERE id = 1", changes: [1]),
    // A trigger.
    Write("INSERT INTO other VALUES (NULL, 2)", changes: [2]),
    Write("INSERT INTO other VALUES (NULL, 3)", changes: []),
    Write("UPDATE other SET family = 1", changes: []),
    // Changes of the schema.
    Write("CREATE INDEX chore_by_points ON chore (points)", changes: [1, 2]),
  ]

  private static func makeDatabase() throws -> TemporaryDatabase {
    try TemporaryDatabase(migrations: migrations, partitionedTables: [chores, notes, families, others])
  }

  private static func request(_ database: Database, reading reads: [(Read, Int64)]) throws -> VersionedRequest {
    try VersionedRequest(database) { reader in
      for (read, family) in reads { try reader.forEachRow(of: read, (family: family, other: 3)) { _ in } }
    }
  }

  @Test(arguments: writes)
  private func `are those of the families whose rows are changed`(_ write: Write) async throws {
    let temporary = try Self.makeDatabase()
    let database = temporary.database
    for family in [1, 2] as [Int64] {
      let requests = try Self.partitions.mapValues { try Self.request(database, reading: [($0, family)]) }
      for request in requests.values { #expect(try request.isCurrent) }
      try await database.write { transaction in try transaction.statement(StatementText("SELECT 1 FROM chore")).run() }
      for request in requests.values { #expect(try request.isCurrent) }
    }
    let requests = try ([1, 2] as [Int64]).map { family in
      (family, try Self.partitions.mapValues { try Self.request(database, reading: [($0, family)]) })
    }
    try await database.write { transaction in
      try transaction.deferForeignKeys()
      try transaction.statement(write.sql).run()
      try transaction.statement(StatementText("DELETE FROM chore WHERE family_id NOT IN (SELECT id FROM family)")).run()
    }
    for (family, requests) in requests {
      for (name, request) in requests {
        #expect(try request.isCurrent == !write.families.contains(family), "\(name) of \(family)")
      }
    }
  }

  @Test(arguments: whole.keys.sorted())
  func `do not apply to what is read beyond the partition`(_ name: String) async throws {
    let temporary = try Self.makeDatabase()
    let database = temporary.database
    let request = try Self.request(database, reading: [(try #require(Self.whole[name]), 1)])
    try await database.write { transaction in
      try transaction.statement(StatementText("UPDATE note SET family_id = 3 WHERE id = 2")).run()
    }
    #expect(try request.isCurrent)
    try await database.write { transaction in
      try transaction.statement(StatementText("UPDATE chore SET points = 5 WHERE id = 30")).run()
    }
    #expect(try !request.isCurrent)
  }

  /// Such as those of a family and of a member. A third one counts as the whole table.
  @Test func `apply to two partitions of a request`() async throws {
    let temporary = try Self.makeDatabase()
    let database = temporary.database
    let (chores, notes) = (try #require(Self.partitions["chores"]), try #require(Self.partitions["notes"]))
    let joined = Read(
      "SELECT c.id FROM \(rows: Self.chores, of: \.family) AS c, \(rows: Self.notes, of: \.other) AS n"
    )
    let requests = [
      "joined": try Self.request(database, reading: [(joined, 2)]),
      "separate": try Self.request(database, reading: [(notes, 3), (chores, 2), (notes, 3)]),
      "three": try Self.request(database, reading: [(chores, 3), (chores, 2), (chores, 1), (chores, 3)]),
    ]
    for (write, changed) in [
      ("INSERT INTO note (family_id) VALUES (1)", []),
      ("INSERT INTO chore VALUES (12, 0, 1)", ["three"]),
      ("INSERT INTO note (family_id) VALUES (3)", ["joined", "separate", "three"]),
    ] as [(String, Set<String>)] {
      try await database.write { transaction in try transaction.statement(StatementText(write)).run() }
      #expect(try Set(requests.filter { try !$0.value.isCurrent }.keys) == changed, "\(write)")
    }
  }

  /// The parameter of the partition can be bound by itself.
  @Test(arguments: [true, false])
  func `need the key that was bound`(_ isNoted: Bool) async throws {
    let temporary = try Self.makeDatabase()
    let database = temporary.database
    let sql = try #require(Self.partitions["chores"])
    let number = try #require(sql.number(of: \.family))
    let readers = database.makeLoopReaders(on: NoLoop())
    let reader = try readers.take()
    #expect(reader.beginVersionedRead())
    let statement = try reader.statement(sql.statement)
    try statement.bind(1 as Int64, at: number)
    if isNoted { reader.choose(partition: 1, at: try #require(sql.statement.partition(ofParameter: number))) }
    try statement.forEachRow { _ in }
    // The next statement does not choose a partition for it.
    try reader.forEachRow(of: try #require(Self.partitions["notes"]), (family: 1, other: 3)) { _ in }
    let version = try #require(reader.dataVersion)
    readers.giveBack(reader)
    try await database.write { transaction in
      try transaction.statement(StatementText("UPDATE chore SET points = 5 WHERE id = 20")).run()
    }
    #expect(try readers.take().isCurrent(version) == isNoted)
  }

  /// What a commit changes is not current while it is in progress, whether it was read before it began or during it:
  /// the snapshot may contain the commit or not.
  @Test func `are known during the commits of others`() throws {
    let versions = TableVersions(partitioned: [Self.chores])
    func reads() -> [String: FileVersion] {
      var (one, two) = (PartitionKeys(), PartitionKeys())
      #expect(one.add(1) && two.add(2))
      let (none, version) = (TableSet.none, versions.ended)
      return [
        "one": FileVersion(tables: none, partitions: one, version: version),
        "two": FileVersion(tables: none, partitions: two, version: version),
        "chore": FileVersion(tables: versions.set(of: "chore"), partitions: PartitionKeys(), version: version),
        "other": FileVersion(tables: versions.set(of: "other"), partitions: PartitionKeys(), version: version),
      ]
    }
    func current(_ reads: [String: FileVersion]) -> Set<String> { Set(reads.filter { versions.isUnchanged($1) }.keys) }
    let (all, unchanged) = (Set(reads().keys), Set(["one", "other"]))
    for _ in 0..<2 {
      let before = reads()
      versions.willCommit(changing: versions.set(of: "chore"), partitions: .some([2]))
      #expect(current(before) == all && current(reads()) == all)
      versions.commitWillBegin()
      let during = reads()
      #expect(current(before) == unchanged && current(during) == unchanged)
      versions.commitDidEnd()
      #expect(current(before) == unchanged && current(during) == unchanged)
      #expect(current(reads()) == all)
    }
  }

  @Test func `change together in a transaction with very many changes`() async throws {
    let temporary = try Self.makeDatabase()
    let database = temporary.database
    let request = try Self.request(database, reading: [(try #require(Self.partitions["chores"]), 1)])
    for (count, isCurrent) in [(4_000, true), (5_000, false)] {
      try await database.write { transaction in
        for family in 4..<Int64(4 + count) {
          let insertion = try transaction.statement(StatementText.insertNote)
          try insertion.bind(family, at: 1)
          try insertion.run()
        }
      }
      #expect(try request.isCurrent == isCurrent)
    }
  }

  /// The keys of partitions that were changed are kept up to a limit.
  @Test func `change together when very many have been changed`() async throws {
    let temporary = try Self.makeDatabase()
    let database = temporary.database
    let chores = try #require(Self.partitions["chores"])
    let request = try Self.request(database, reading: [(chores, 1)])
    for first in stride(from: 4, to: 70_000, by: 4_000) as StrideTo<Int64> {
      #expect(try request.isCurrent == (first < 65_000))
      try await database.write { transaction in
        for family in first..<first + 4_000 {
          let insertion = try transaction.statement(StatementText.insertNote)
          try insertion.bind(family, at: 1)
          try insertion.run()
        }
      }
    }
    #expect(try !request.isCurrent)
    #expect(try Self.request(database, reading: [(chores, 1)]).isCurrent)
  }
}

extension StatementText {
  fileprivate static let insertNote = StatementText("INSERT INTO note (family_id) VALUES (?1)")
}
