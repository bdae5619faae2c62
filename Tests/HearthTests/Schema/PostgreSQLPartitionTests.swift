import PostgreSQL
import TestSupport
import Testing

@testable import Hearth
@testable import Storage

/// Triggers note whose rows a transaction changes, whichever statement, trigger or foreign key does.
@Suite(
  "Changes of the rows of families and members in PostgreSQL",
  .enabled(if: PostgreSQLCluster.isInstalled, "Scripts/install-postgresql installs PostgreSQL.")
)
struct PostgreSQLPartitionTests {
  @Test func `are noted for each table whose rows have one owner`() async throws {
    let noted = try await TestPostgreSQL.withSchema { connection in
      ServerCatalog(try connection.run(ServerCatalog.statement)).partitioned
    }
    #expect(noted == Set(PartitionedTable.owned))
  }

  @Test func `are not relied on if a trigger is missing or disabled`() async throws {
    let noted = try await TestPostgreSQL.withSchema { connection in
      try connection.run("ALTER TABLE chore DISABLE TRIGGER partition_deleted")
      try connection.run("DROP TRIGGER partition_truncated ON item")
      return ServerCatalog(try connection.run(ServerCatalog.statement)).partitioned
    }
    #expect(noted == Set(PartitionedTable.owned).subtracting([.chore, .item]))
  }

  @Test func `are looked up in an index`() async throws {
    let plan = try await TestPostgreSQL.withSchema { connection in
      try connection.run(
        "INSERT INTO partition_change SELECT i % 500, i::text::xid8 FROM generate_series(1, 50000) AS s (i)"
      )
      try connection.run("ANALYZE partition_change")
      try connection.run("SET plan_cache_mode = force_generic_plan")
      let sql = ServerVersion.comparison.statement
      let types = sql.parameterTypes.map(\.rawValue)
      try connection.run("PREPARE comparison (\(types.joined(separator: ", "))) AS \(sql.postgreSQLText)")
      let values = types.map { _ in "NULL" }.joined(separator: ", ")
      let rows = try connection.run("EXPLAIN (COSTS OFF) EXECUTE comparison(\(values))")
      return (0..<rows.count).map { rows.text($0, 0) }
    }
    #expect(
      plan.filter { $0.contains("Index Cond") && $0.contains("key") && $0.contains("change") }.count == 2,
      "\(plan)"
    )
    #expect(!plan.contains { $0.contains("Seq Scan") }, "\(plan)")
  }

  private struct Change: CustomTestStringConvertible, Sendable {
    let sql: String
    let keys: [Int64]
    var testDescription: String { sql }

    init(_ sql: String, notes keys: [Int64]) {
      self.sql = sql
      self.keys = keys
    }
  }

  /// Two families, 1 and 2, with a child each, and two members, 3 and 67, of the first.
  private static let rows = [
    "INSERT INTO family VALUES (1, 'f', 'UTC', 0, NULL), (2, 'g', 'UTC', 0, NULL)",
    """
    INSERT INTO person (id, family_id, name, first_name, gender, theme, created_at) VALUES
    (3, 1, 'a', 'a', 0, 0, 0), (67, 1, 'b', 'b', 0, 0, 0)
    """,
    "INSERT INTO account (id, email, email_key) VALUES (3, 'a', 'a'), (67, 'b', 'b')",
    """
    INSERT INTO child (family_id, id, name, username, username_key, gender, theme, created_at) VALUES
    (1, 4, 'm', 'm', 'm', 0, 0, 0), (2, 68, 'n', 'n', 'n', 0, 0, 0)
    """,
    "INSERT INTO notification VALUES (3, 30, NULL, NULL, 0, NULL, 1), (67, 31, NULL, NULL, 0, 1, 2)",
    "INSERT INTO point_entry (family_id, member_id, id, points, kind, created_at) VALUES (1, 3, 70, 5, 1, 0)",
  ]

  private static let changes = [
    Change("INSERT INTO family VALUES (5, 'h', 'UTC', 0, NULL)", notes: [5]),
    Change("UPDATE family SET name = 'i' WHERE id = 2", notes: [2]),
    Change("UPDATE family SET name = 'i' WHERE id = 9", notes: []),
    Change("UPDATE child SET name = 'o'", notes: [1, 2]),
    Change("UPDATE child SET family_id = 2 WHERE id = 4", notes: [1, 2]),
    Change("DELETE FROM child WHERE id = 68", notes: [2]),
    Change("DELETE FROM notification", notes: [3, 67]),
    Change("INSERT INTO family VALUES (2, 'g', 'UTC', 0, NULL) ON CONFLICT DO NOTHING", notes: []),
    Change(
      "INSERT INTO family VALUES (2, 'g', 'UTC', 0, NULL) ON CONFLICT (id) DO UPDATE SET name = excluded.name",
      notes: [2]
    ),
    Change("WITH gone AS (DELETE FROM child WHERE id = 4 RETURNING family_id) SELECT 1 FROM gone", notes: [1]),
    // The triggers that count change the accounts, and the ledger's the balance.
    Change("INSERT INTO contact VALUES (3, 20, 67, 'b', 0, 0)", notes: [3]),
    Change(
      "INSERT INTO point_entry (family_id, member_id, id, points, kind, created_at) VALUES (2, 68, 71, 5, 1, 0)",
      notes: [2]
    ),
    // A table without an owner.
    Change("INSERT INTO picture (id, hash, format, width, height, byte_count) VALUES (5, 'x', 1, 1, 1, 1)", notes: []),
  ]

  @Test func `are noted with the transaction that made them`() async throws {
    let found = try await TestPostgreSQL.withSchema { connection in
      for text in Self.rows { try connection.run(text) }
      return try Self.changes.map { change in
        try connection.run("BEGIN")
        try connection.run("DELETE FROM partition_change")
        try connection.run(change.sql)
        let rows = try connection.run(
          "SELECT DISTINCT key FROM partition_change WHERE change = pg_current_xact_id() ORDER BY key"
        )
        let keys = (0..<rows.count).map { rows.int64($0, 0) }
        try connection.run("ROLLBACK")
        return keys
      }
    }
    for (change, keys) in zip(Self.changes, found) { #expect(keys == change.keys, "\(change.sql)") }
  }

  @Test func `of all rows are noted when a table is emptied`() async throws {
    let isNoted = try await TestPostgreSQL.withSchema { connection in
      try connection.run("BEGIN")
      try connection.run("TRUNCATE notification")
      let rows = try connection.run(
        "SELECT key, change > pg_current_xact_id() AND change > pg_snapshot_xmin(pg_current_snapshot()) FROM partition_change"
      )
      return rows.count == 1 && rows.int64(0, 0) == 0 && rows.int64(0, 1) == 1
    }
    #expect(isNoted)
  }

  @Test func `are noted when a foreign key makes them, and not when they are undone`() async throws {
    let found = try await TestPostgreSQL.withSchema { connection in
      try connection.run("CREATE TABLE owner (id bigint PRIMARY KEY)")
      try connection.run("CREATE TABLE owned (id bigint REFERENCES owner ON DELETE CASCADE, family_id bigint)")
      try connection.run(
        """
        CREATE TRIGGER partition_deleted AFTER DELETE ON owned REFERENCING OLD TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION note_family_id_deleted('family_id')
        """
      )
      try connection.run("INSERT INTO owner VALUES (1)")
      try connection.run("INSERT INTO owned VALUES (1, 7), (1, 8)")
      try connection.run("BEGIN")
      try connection.run("SAVEPOINT part")
      try connection.run("DELETE FROM owned WHERE family_id = 7")
      try connection.run("ROLLBACK TO part")
      let undone = try connection.run("SELECT 1 FROM partition_change").count
      try connection.run("DELETE FROM owner")
      let rows = try connection.run("SELECT key FROM partition_change ORDER BY key")
      return [undone] + (0..<rows.count).map { Int(rows.int64($0, 0)) }
    }
    #expect(found == [0, 7, 8])
  }
}
