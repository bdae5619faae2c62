import Storage
import Testing

@testable import Hearth

@Suite("Data of an earlier version")
struct MigrationTests {
  private static let fill = [
    SQL("INSERT INTO family VALUES (65, 'Lovelace family', 'UTC', 0)"),
    SQL(
      """
      INSERT INTO child (family_id, id, name, username, username_key, gender, theme, created_at) \
      VALUES (65, 132, 'Mia', 'mia', 'mia', 0, 0, 0)
      """
    ),
    SQL(
      """
      INSERT INTO chore (family_id, id, name, priority, frequency, status, assignees, created_by, created_at, updated_at) \
      VALUES (65, 197, 'Feed the CAT', 5, 0, 0, x'8400000000000000', 67, 0, 0)
      """
    ),
    SQL(
      """
      INSERT INTO chore (family_id, id, name, priority, frequency, status, assignees, created_by, created_at, updated_at) \
      VALUES (65, 198, 'Water the plants', 5, 2, 0, x'', 67, 0, 0)
      """
    ),
    SQL(
      """
      INSERT INTO person (id, family_id, name, first_name, gender, theme, created_at) \
      VALUES (67, 65, 'Ada Lovelace', 'Ada', 0, 0, 0)
      """
    ),
    SQL("INSERT INTO assignment VALUES (65, 132, 0, -5, 9223372036854775807, 197)"),
  ]
  private static let repeating = SQL(
    """
    SELECT series_id, repeats, next_turn_at FROM chore JOIN family ON family.id = family_id WHERE frequency <> 0
    """
  )
  private static let kept = SQL(
    "SELECT name_key, removed_at IS NULL, (SELECT removed_at IS NULL FROM child) FROM chore WHERE family_id = 65"
  )

  private static let person = SQL("SELECT name_key, deactivated_at IS NULL, company IS NULL FROM person WHERE id = 67")

  @Test func `chores and children are kept, listed and found`() async throws {
    let directory = try TemporaryDirectory()
    let path = DataDirectory.databasePath(in: directory.path)
    let old = try Database(path: path, migrations: [.household])
    try await old.write { transaction in
      for statement in Self.fill { try transaction.statement(statement).run() }
    }
    await old.close()
    let new = try Database(path: path, migrations: Migration.all)
    let kept = try await new.write { transaction in
      try transaction.statement(Self.kept).first { row in "\(row.string(0)) \(row.bool(1)) \(row.bool(2))" }
    }
    #expect(kept == "feed the cat true true")
    let person = try await new.write { transaction in
      try transaction.statement(Self.person).first { row in "\(row.string(0)) \(row.bool(1)) \(row.bool(2))" }
    }
    #expect(person == "\(NameOrder.key(of: "Ada Lovelace")) true true")
    let listed = try await new.write { transaction in
      let statement = try transaction.statement(ChoreListStatements.name)
      try statement.bind(1, 65 as Int64)
      try statement.bind(3, 10 as Int64)
      try statement.bind(16, "cat")
      return try statement.first { row in row.int64(0) }
    }
    #expect(listed == 197)
    let turned = try await new.write { transaction in
      try transaction.statement(Self.repeating).first { row in "\(row.int64(0)) \(row.int64(1)) \(row.int64(2))" }
    }
    #expect(turned == "198 1 0")
    // What was there before pictures can have them, and their uses are counted.
    let uses = try await new.write { transaction in
      let insert =
        "INSERT INTO picture (id, hash, format, width, height, byte_count) VALUES (1, zeroblob(32), 0, 1, 1, 1)"
      try transaction.statement(SQL(insert)).run()
      var uses: [Int64] = []
      for change in [
        "UPDATE chore SET image = 1", "UPDATE child SET avatar = 1", "UPDATE person SET avatar = 1",
        "UPDATE chore SET image = NULL WHERE id = 198", "UPDATE person SET avatar = NULL",
      ] {
        try transaction.statement(SQL(change)).run()
        uses.append(try transaction.statement(SQL("SELECT uses FROM picture")).first { row in row.int64(0) } ?? -1)
      }
      return uses
    }
    #expect(uses == [2, 3, 4, 3, 2])
    #expect(try new.integrityCheck() == [])
    await new.close()
  }
}
