import Foundation
import Testing

@testable import Hearth
@testable import Storage

/// The features of PostgreSQL that the page about other engines lists are those that are used.
@Suite("Features of the database engine")
struct EngineFeatureTests {
  /// A pattern for each feature of the table, and for those that must stay out of it, which not every engine has.
  private static let patterns: [(feature: String, pattern: String)] = [
    ("SERIALIZABLE transactions", #"SERIALIZABLE"#),
    ("REPEATABLE READ snapshots", #"REPEATABLE READ"#),
    ("savepoints", #"SAVEPOINT"#),
    ("advisory locks", #"pg_(?:try_)?advisory_"#),
    ("LISTEN and NOTIFY", #"\bLISTEN [a-z]|\bNOTIFY [a-z]|pg_notify\("#),
    ("row triggers in PL/pgSQL", #"FOR EACH ROW"#),
    ("statement triggers", #"FOR EACH STATEMENT"#),
    ("SQL functions", #"LANGUAGE sql"#),
    ("deferrable foreign keys", #"\) DEFERRABLE"#),
    ("cascading foreign keys", #"ON (?:DELETE|UPDATE) CASCADE"#),
    ("exclusion constraints", #"EXCLUDE USING"#),
    ("partial indexes", #"CREATE (?:UNIQUE )?INDEX [^;]*\bWHERE\b"#),
    ("stored generated columns", #"GENERATED ALWAYS AS \([^;]*STORED"#),
    ("sequences", #"\bnextval\(|CREATE SEQUENCE"#),
    ("`COLLATE \"C\"`", #"COLLATE "C""#),
    ("`ON CONFLICT`", #"ON CONFLICT"#),
    ("`RETURNING`", #"\bRETURNING\b"#),
    ("`unnest … WITH ORDINALITY`", #"WITH ORDINALITY"#),
    ("LATERAL joins", #"\bLATERAL\b"#),
    ("locks of rows", #"\bFOR (?:NO KEY )?UPDATE\b"#),
    ("`SKIP LOCKED`", #"SKIP LOCKED"#),
    ("locks of tables", #"\bLOCK TABLE\b"#),
    ("planner settings", #"enable_seqscan|plan_cache_mode"#),
    ("transaction numbers", #"pg_current_xact|pg_xact_status|\btxid_|\bxmin\b"#),
    ("system catalogues and sizes", #"\bpg_class\b|\bpg_database_size\(|\bpg_namespace\b"#),
    ("COPY", #"\bCOPY [a-z(]"#),
    ("TRUNCATE", #"\bTRUNCATE [a-z\\]"#),
    ("views", #"CREATE (?:MATERIALIZED )?VIEW"#),
  ]

  /// What is sent to a PostgreSQL server: the statements, the schema, later migrations, and texts of the code.
  private static func texts() throws -> String {
    let folders = ["Sources/PostgreSQL", "Sources/Storage/PostgreSQL", "Sources/Storage/Copying", "Sources/Hearth"]
    let code = try folders.flatMap { try Checkout.swiftFiles(in: $0) }
      .filter { !$0.path.contains("/Migrations/") }
      .flatMap(\.lines)
      .filter { !$0.trimmingCharacters(in: .whitespaces).hasPrefix("//") }
      .map { String($0) }
    let schema = [PostgreSQLSchema.text] + Migration.all.compactMap(\.postgreSQL)
    return (Statements.all.map(\.sql.statement.postgreSQLText) + schema + code).joined(separator: "\n")
  }

  @Test func `the table has every feature that is used, and no other`() throws {
    let texts = try Self.texts()
    let used = Self.patterns.filter { texts.range(of: $0.pattern, options: .regularExpression) != nil }.map(\.feature)
    let listed = try Document("Documentation/other-engines.md").table(under: "What Hearth uses").map { $0[0] }
    #expect(Set(listed) == Set(used))
    #expect(Set(listed).count == listed.count)
  }
}
