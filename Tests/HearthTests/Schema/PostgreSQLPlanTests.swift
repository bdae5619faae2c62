import Foundation
import PostgreSQL
import TestSupport
import Testing

@testable import Hearth
@testable import Storage

/// What PostgreSQL's planner makes of every statement is written down in `Snapshots/statements-postgresql.txt`, as
/// `StatementTests` does it for SQLite. To rewrite it, after review:
///
///     HEARTH_UPDATE_SNAPSHOTS=1 swift test --filter PostgreSQLPlanTests
///
/// Plans depend on the statistics of the tables. Here each table has 5,000 rows of a fixed content, which ANALYZE reads
/// completely, so that the statistics are the same in each run.
@Suite(
  "PostgreSQL finds the rows of every statement by an index",
  .enabled(if: PostgreSQLCluster.isInstalled, "Scripts/install-postgresql installs PostgreSQL.")
)
struct PostgreSQLPlanTests {
  private struct Plan {
    let name: String
    let lines: [String]
  }

  private static let snapshot = Checkout.root
    .appendingPathComponent("Tests/HearthTests/Snapshots/statements-postgresql.txt")
  /// The version whose plans are in the snapshot. Others may plan differently; without an index they scan too.
  private static let version = 15

  /// Statements that read a whole table, besides those of `StatementTests.scans`, and why.
  private static let scans: [String: String] = limited.merging([
    "StoredPicture.unused": "It is executed with SQLite only.",
    "DataCounts.devices": "Operators see the number. It is counted off the event loops.",
    "DataCounts.failed": "The same.",
    "ExportOfMember.chores": "In larger tables it looks each chore of the family up. Exports are limited.",
    "Seeder.unindexed": "It is for benchmark data.",
  ]) { _, own in own }

  /// Statements that change the first rows of an index. The planner expects a tenth of the rows if it does not know the
  /// limit. The connection that writes plans with the limit (`ConnectionOptions.usesGenericPlans`).
  private static let limited = Dictionary(
    uniqueKeysWithValues: [
      "ContactRejection.sweep", "EndedParentRemoval.sweep", "FamilyInvitationRow.sweep", "FeedWindow.sweep",
      "GroupExclusion.sweep", "IdempotentWrite.sweep", "RetryMailRequest.allFailed", "OneTimeToken.sweep",
      "RetryPushRequest.allFailed", "QueuedMail.sweep", "QueuedPush.sweep", "DueReminders.mark", "Sessions.sweep",
    ].map { ($0, "Its LIMIT is unknown here.") }
  )

  /// Fills each table. Families have 20 rows of each kind, optional columns are set in every
  /// tenth row, and what is neither a key nor a moment has four values. Triggers and foreign keys are off.
  private static let rows = """
    DO $$
    DECLARE
      filled record;
    BEGIN
      SET LOCAL session_replication_role = replica;
      FOR filled IN SELECT conrelid::regclass AS name, conname FROM pg_constraint
        WHERE contype = 'c' AND connamespace = 'public'::regnamespace ORDER BY 1, 2
      LOOP
        EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', filled.name, filled.conname);
      END LOOP;
      FOR filled IN
        SELECT c.oid::regclass AS name, string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) AS columns,
          string_agg(
            CASE WHEN a.attnotnull OR a.attname = 'family_id' THEN v.value
              ELSE format('CASE WHEN i %% 10 = 0 THEN %s END', v.value) END,
            ', ' ORDER BY a.attnum
          ) AS expressions
        FROM pg_class AS c
        JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
        CROSS JOIN LATERAL (
          SELECT EXISTS (
            SELECT FROM pg_index AS x WHERE x.indrelid = c.oid AND x.indisunique AND x.indnatts = 1
            AND x.indkey[0] = a.attnum
          ) AS is_unique
        ) AS u
        CROSS JOIN LATERAL (
          SELECT CASE
            WHEN a.atttypid = 'text'::regtype THEN '''text '' || i'
            WHEN a.atttypid = 'xid8'::regtype THEN 'i::text::xid8'
            WHEN a.atttypid = 'bytea'::regtype THEN 'decode(md5(i::text), ''hex'')'
            WHEN a.atttypid = 'bigint'::regtype AND a.attname = 'family_id' AND NOT u.is_unique THEN 'i / 20'
            WHEN a.atttypid = 'bigint'::regtype AND (u.is_unique OR a.attname ~ '(^id|_id|_at|_order|position|number)$')
              THEN 'i'
            WHEN a.atttypid = 'bigint'::regtype THEN 'i % 4'
          END AS value
        ) AS v
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
        AND v.value IS NOT NULL
        GROUP BY c.oid ORDER BY c.oid::regclass::text
      LOOP
        EXECUTE format('INSERT INTO %s (%s) SELECT %s FROM generate_series(1, 5000) AS s (i) ON CONFLICT DO NOTHING',
          filled.name, filled.columns, filled.expressions);
      END LOOP;
    END
    $$;
    """

  /// The plans with which the server's connections execute the statements, for any parameters.
  private func plans() async throws -> (plans: [Plan], version: Int) {
    let cluster = try await PostgreSQLCluster.shared()
    let database = try await cluster.makeDatabase()
    for text in [TestPostgreSQL.schema, Self.rows, "ANALYZE"] { try await cluster.execute(text, in: database) }
    let small = """
      SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
      AND reltuples < 200
      """
    // All tables have been filled, or the test shows nothing.
    #expect(try await cluster.execute(small, in: database) == "")
    let options = try await TestPostgreSQL.options(of: database)
    return try await TestThread {
      let connection = BlockingConnection(try Connector(options).connect())
      let plans = try Statements.all.filter { !PostgreSQLStatementTests.ofSQLite.contains($0.name) }.map { name, sql in
        let types = sql.statement.parameterTypes
        let declared = types.isEmpty ? "" : " (\(types.map(\.rawValue).joined(separator: ", ")))"
        let values = types.isEmpty ? "" : "(\(types.map { _ in "NULL" }.joined(separator: ", ")))"
        try connection.run("PREPARE statement\(declared) AS \(sql.statement.postgreSQLText)")
        let rows = try connection.run("EXPLAIN (COSTS OFF) EXECUTE statement\(values)")
        try connection.run("DEALLOCATE statement")
        return Plan(name: name, lines: (0..<rows.count).map { rows.text($0, 0) })
      }
      return (plans, connection.pipeline.serverVersion / 10_000)
    }.value
  }

  @Test func `no plan scans a table, and all match the snapshot`() async throws {
    let (plans, version) = try await plans()
    for plan in plans where StatementTests.scans[plan.name] == nil && Self.scans[plan.name] == nil {
      for line in plan.lines where line.contains("Seq Scan on") {
        Issue.record("\(plan.name):\n\(plan.lines.joined(separator: "\n"))")
      }
    }
    // The texts are those of `statements.txt` but for the words that the engines express differently.
    guard version == Self.version else { return }
    let shown = plans.map { "\($0.name)\n" + $0.lines.map { "  \($0)\n" }.joined() }.joined(separator: "\n")
    if TestOptions.updatesSnapshots {
      try Data(shown.utf8).write(to: Self.snapshot)
    }
    let known = try String(contentsOf: Self.snapshot, encoding: .utf8)
    let before = Set(known.components(separatedBy: "\n\n"))
    for entry in shown.components(separatedBy: "\n\n") where !before.contains(entry) {
      Issue.record("This is new, or has changed:\n\(entry)")
    }
    #expect(shown == known)
  }
}
