import PostgreSQL
import TestSupport
import Testing

@testable import Hearth
@testable import Storage

/// The schema of PostgreSQL is what the migrations make of an SQLite file: the same tables, columns, keys and indexes.
@Suite(
  "The catalogues of both engines agree",
  .enabled(if: PostgreSQLCluster.isInstalled, "Scripts/install-postgresql installs PostgreSQL.")
)
struct PostgreSQLCatalogueTests {
  /// What one engine has and the other needs not. Full-text search is an index of FTS5 and a table in PostgreSQL;
  /// `migration` is Storage's own.
  private static let others: Set<String> = [
    "migration", "search_word", "commit_token", "process", "lease", "rate_limit", "partition_change",
  ]

  private func sqlite(_ query: String) throws -> Set<String> {
    let directory = try TemporaryDirectory()
    let database = try Database(path: DataDirectory.databasePath(in: directory.path), migrations: Migration.all)
    let reader = try database.makeReader()
    var found: Set<String> = []
    try reader.statement(StatementText(query)).forEachRow { row in
      if !Self.others.contains(row.string(0)) { found.insert("\(row.string(0)): \(row.string(1))") }
    }
    return found
  }

  private func postgreSQL(_ query: String) async throws -> Set<String> {
    try await TestPostgreSQL.withSchema { connection in
      let rows = try connection.run(query)
      let found = (0..<rows.count).filter { !Self.others.contains(rows.text($0, 0)) }
      return Set(found.map { "\(rows.text($0, 0)): \(rows.text($0, 1))" })
    }
  }

  private func compare(_ sqliteQuery: String, _ postgreSQLQuery: String) async throws {
    let one = try sqlite("SELECT * FROM (\(sqliteQuery))")
    let other = try await postgreSQL(postgreSQLQuery)
    #expect(one.count > 20)
    #expect(one.subtracting(other) == [], "PostgreSQL does not have them.")
    #expect(other.subtracting(one) == [], "SQLite does not have them.")
  }

  /// The next number of keys is a row in SQLite files, and that of a sequence in PostgreSQL databases.
  private static let tables = """
    (SELECT name FROM pragma_table_list WHERE type = 'table' AND schema = 'main' AND name NOT LIKE 'sqlite%' \
    AND name NOT LIKE 'search_index%' AND name <> 'sequence')
    """

  @Test func `columns, their types, nullability and generation`() async throws {
    try await compare(
      """
      SELECT t.name, c.name || ' ' || c.type || CASE WHEN c."notnull" OR c.pk > 0 THEN ' NOT NULL' ELSE '' END
        || CASE WHEN c.hidden > 1 THEN ' generated' ELSE '' END
      FROM \(Self.tables) AS t JOIN pragma_table_xinfo(t.name) AS c
      """,
      """
      SELECT c.relname::text, (a.attname || ' '
        || CASE a.atttypid WHEN 20 THEN 'INTEGER' WHEN 25 THEN 'TEXT' WHEN 17 THEN 'BLOB' ELSE 'another type' END
        || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END
        || CASE WHEN a.attgenerated <> '' THEN ' generated' ELSE '' END)::text
      FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
      """
    )
  }

  @Test func `defaults`() async throws {
    try await compare(
      """
      SELECT t.name, c.name || ' ' || coalesce(c.dflt_value, '')
      FROM \(Self.tables) AS t JOIN pragma_table_info(t.name) AS c
      """,
      """
      SELECT c.relname::text, (a.attname || ' '
        || coalesce(replace(pg_get_expr(d.adbin, d.adrelid), '::text', ''), ''))::text
      FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND a.attgenerated = ''
      LEFT JOIN pg_attrdef AS d ON d.adrelid = c.oid AND d.adnum = a.attnum
      WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
      """
    )
  }

  @Test func `primary keys, unique constraints and indexes`() async throws {
    try await compare(
      """
      SELECT t.name, coalesce(CASE WHEN i.origin = 'c' THEN i.name END, CASE i.origin WHEN 'pk' THEN 'key' ELSE 'constraint' END)
        || CASE WHEN i."unique" THEN ' unique' ELSE '' END || CASE WHEN i.partial THEN ' partial' ELSE '' END || ' ('
        || (SELECT group_concat(coalesce(x.name, 'expression'), ', ') FROM pragma_index_xinfo(i.name) AS x WHERE x.key) || ')'
      FROM \(Self.tables) AS t JOIN pragma_index_list(t.name) AS i
      UNION ALL
      SELECT t.name, 'key unique (' || c.name || ')' FROM \(Self.tables) AS t JOIN pragma_table_info(t.name) AS c
      WHERE c.pk = 1 AND NOT EXISTS (SELECT 1 FROM pragma_index_list(t.name) AS i WHERE i.origin = 'pk')
      """,
      """
      SELECT c.relname::text, (CASE WHEN i.indisprimary THEN 'key' WHEN k.oid IS NOT NULL THEN 'constraint' ELSE x.relname END
        || CASE WHEN i.indisunique THEN ' unique' ELSE '' END
        || CASE WHEN i.indpred IS NOT NULL THEN ' partial' ELSE '' END || ' (' ||
        (SELECT string_agg(coalesce(a.attname, 'expression'), ', ' ORDER BY n.position)
        FROM unnest(i.indkey) WITH ORDINALITY AS n (number, position)
        LEFT JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = n.number AND n.number > 0) || ')')::text
      FROM pg_index AS i JOIN pg_class AS x ON x.oid = i.indexrelid JOIN pg_class AS c ON c.oid = i.indrelid
      LEFT JOIN pg_constraint AS k ON k.conindid = x.oid AND k.contype = 'u'
      WHERE c.relnamespace = 'public'::regnamespace
      """
    )
  }

  @Test func `foreign keys`() async throws {
    try await compare(
      """
      SELECT t.name, '(' || group_concat(f."from", ', ') || ') ' || f."table" || ' (' || group_concat(f."to", ', ') || ') '
        || f.on_delete
      FROM \(Self.tables) AS t JOIN pragma_foreign_key_list(t.name) AS f GROUP BY t.name, f.id
      """,
      """
      SELECT c.relname::text, ('('
        || (SELECT string_agg(a.attname, ', ' ORDER BY n.position) FROM unnest(k.conkey) WITH ORDINALITY AS n (number, position)
          JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = n.number)
        || ') ' || r.relname || ' ('
        || (SELECT string_agg(a.attname, ', ' ORDER BY n.position) FROM unnest(k.confkey) WITH ORDINALITY AS n (number, position)
          JOIN pg_attribute AS a ON a.attrelid = r.oid AND a.attnum = n.number)
        || ') ' || CASE k.confdeltype WHEN 'c' THEN 'CASCADE' WHEN 'a' THEN 'NO ACTION' ELSE 'other' END)::text
      FROM pg_constraint AS k JOIN pg_class AS c ON c.oid = k.conrelid JOIN pg_class AS r ON r.oid = k.confrelid
      WHERE k.contype = 'f'
      """
    )
  }

  @Test func `texts are compared byte by byte, whatever the database's collation is`() async throws {
    let others = try await postgreSQL(
      """
      SELECT c.relname::text, a.attname::text FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
      WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND a.atttypid = 25
      AND a.attcollation <> '"C"'::regcollation
      """
    )
    #expect(others == [])
  }

  @Test func `a count is kept by a trigger of both engines`() async throws {
    // Each statement with the tables it changes by triggers: one of each kind.
    let statements = """
      INSERT INTO family VALUES (1, 'f', 'UTC', 0, NULL);
      INSERT INTO person (id, family_id, name, first_name, gender, theme, created_at) VALUES
        (10, 1, 'a', 'a', 0, 0, 0), (11, 1, 'b', 'b', 0, 0, 0), (12, 1, 'c', 'c', 0, 0, 0);
      INSERT INTO account (id, email, email_key) VALUES (10, 'a', 'a'), (11, 'b', 'b'), (12, 'c', 'c');
      INSERT INTO picture (id, hash, format, width, height, byte_count) VALUES (5, 'x', 1, 1, 1, 1), (6, 'y', 1, 1, 1, 1);
      UPDATE person SET avatar = 5 WHERE id = 10;
      UPDATE person SET avatar = 6 WHERE id = 10;
      UPDATE person SET avatar = 6 WHERE id = 11;
      UPDATE person SET avatar = NULL WHERE id = 10;
      INSERT INTO contact VALUES (10, 20, 11, 'b', 0, 0), (11, 21, 10, 'a', 0, 0);
      DELETE FROM contact WHERE id = 21;
      INSERT INTO contact VALUES (12, 22, 10, 'a', 0, 0), (12, 23, 11, 'b', 0, 0), (10, 24, 12, 'c', 0, 0);
      DELETE FROM contact WHERE id IN (22, 23, 24);
      INSERT INTO notification VALUES 
        (10, 30, NULL, NULL, 0, NULL, 1), (10, 31, NULL, NULL, 0, 1, 2), (10, 32, NULL, NULL, 0, NULL, 3);
      UPDATE notification SET read_at = 1 WHERE id = 30;
      DELETE FROM notification WHERE id IN (31, 32);
      INSERT INTO notification VALUES
        (11, 33, NULL, NULL, 0, NULL, 4), (11, 34, NULL, NULL, 0, NULL, 5), (10, 35, NULL, NULL, 0, 1, 6);
      UPDATE notification SET read_at = 2 WHERE id IN (33, 34, 35);
      UPDATE notification SET read_at = NULL WHERE id IN (34, 35);
      UPDATE notification SET read_at = NULL WHERE id = 0;
      DELETE FROM notification WHERE id IN (30, 33);
      INSERT INTO person_group (id, name, name_key, sharing, created_by, created_at) VALUES (40, 'g', 'g', 0, 10, 0);
      INSERT INTO group_member VALUES (40, 10, 50, 0, 'a', NULL, 1, 0), (40, 11, 51, 2, 'b', NULL, NULL, 0);
      UPDATE group_member SET role = 1, joined_at = 1 WHERE id = 51;
      DELETE FROM group_member WHERE id = 50;
      INSERT INTO group_join_request VALUES (60, 40, 10, 0, 0), (61, 40, 11, 0, 0);
      DELETE FROM group_join_request WHERE id = 61;
      INSERT INTO family_feed (family_id, count, swept, position) VALUES (1, 2, 0, 2);
      INSERT INTO family_event VALUES (1, 1, 0, 0, NULL, 0), (1, 2, 0, 0, NULL, 0);
      DELETE FROM family_event WHERE position = 1;
      INSERT INTO family VALUES (2, 'g', 'UTC', 0, NULL);
      INSERT INTO child (family_id, id, name, username, username_key, gender, theme, created_at) VALUES
        (1, 4, 'm', 'm', 'm', 0, 0, 0);
      INSERT INTO contract (family_id, id, child_id, max_points, points, active, created_at) VALUES (1, 7, 4, 9, 0, 1, 0);
      INSERT INTO point_entry (family_id, member_id, id, points, kind, contract_id, created_at) VALUES
        (1, 4, 70, 3, 1, 7, 0), (1, 4, 71, -1, 2, 7, 0), (1, 4, 72, 2, 3, 7, 0), (1, 4, 73, -4, 4, 7, 0),
        (1, 3, 74, 5, 1, NULL, 0), (1, 3, 75, -2, 4, NULL, 0);
      UPDATE point_entry SET family_id = 2 WHERE id = 74;
      """
    let counts = """
      SELECT 'account', id || ' ' || contact_count || ' ' || notification_count || ' ' || unread_count FROM account
      UNION ALL SELECT 'picture', id || ' ' || uses FROM picture
      UNION ALL SELECT 'person_group', id || ' ' || member_count || ' ' || join_request_count FROM person_group
      UNION ALL SELECT 'child', points || ' ' || achievement_points FROM child
      UNION ALL SELECT 'contract', '' || points FROM contract
      UNION ALL SELECT 'point_balance', family_id || ' ' || member_id || ' ' || points || ' ' || achievement_points
        FROM point_balance
      UNION ALL SELECT 'family_feed', family_id || ' ' || count || ' ' || swept FROM family_feed
      """
    let directory = try TemporaryDirectory()
    let schema = Migration(
      Migration.all.count + 1,
      name: "rows",
      sql: statements.replacing("'x'", with: "x'00'").replacing("'y'", with: "x'01'")
    )
    let database = try Database(
      path: DataDirectory.databasePath(in: directory.path),
      migrations: Migration.all + [schema]
    )
    var one: [String] = []
    let reader = try database.makeReader()
    try reader.statement(StatementText(counts)).forEachRow { row in one.append("\(row.string(0)) \(row.string(1))") }
    let other = try await TestPostgreSQL.withSchema { connection in
      for statement in statements.split(separator: ";\n") { try connection.run(String(statement)) }
      let rows = try connection.run(counts)
      return (0..<rows.count).map { "\(rows.text($0, 0)) \(rows.text($0, 1))" }
    }
    #expect(one.sorted() == other.sorted())
    #expect(
      one.sorted() == [
        "account 10 1 1 1", "account 11 0 1 1", "account 12 0 0 0", "child 0 2", "contract 4", "family_feed 1 1 1",
        "person_group 40 1 1", "picture 5 0", "picture 6 1", "point_balance 1 3 -2 0", "point_balance 2 3 5 5",
      ]
    )
  }
}
