import PostgreSQL
import TestSupport
import Testing

@testable import Hearth
@testable import Storage

/// Every statement of the product is prepared by a PostgreSQL server with the product's schema.
@Suite(
  "PostgreSQL understands every statement",
  .enabled(if: PostgreSQLCluster.isInstalled, "Scripts/install-postgresql installs PostgreSQL.")
)
struct PostgreSQLStatementTests {
  /// Statements about the index of FTS5. In PostgreSQL the index is a table of words, which needs no maintenance.
  static let ofSQLite: Set = ["SearchIndex.merge", "KeySequence.next", "KeySequence.advance"]

  @Test func `every statement compiles`() async throws {
    let rejected = try await TestPostgreSQL.withSchema { connection in
      var rejected: [String] = []
      for (name, sql) in Statements.all where !Self.ofSQLite.contains(name) {
        let statement = sql.statement
        let types = statement.parameterTypes.map(\.rawValue).joined(separator: ", ")
        do throws(PostgreSQLError) {
          try connection.run(
            "PREPARE statement \(types.isEmpty ? "" : "(\(types))") AS \(statement.postgreSQLText)"
          )
          try connection.run("DEALLOCATE statement")
        } catch {
          rejected.append("\(name): \(error.message)\n  \(statement.postgreSQLText)")
        }
      }
      return rejected
    }
    #expect(rejected == [], "\(rejected.count) of \(Statements.all.count):\n\(rejected.joined(separator: "\n"))")
  }

  @Test func `words of SQLite alone do not reach PostgreSQL`() {
    let words = ["?", "INDEXED BY", "CROSS JOIN", "instr(", "ifnull(", "json_each", "MATCH", "rowid", "x''", "PRAGMA"]
    for (name, sql) in Statements.all {
      for word in words {
        #expect(!sql.statement.postgreSQLText.contains(word), "\(name): \(sql.statement.postgreSQLText)")
      }
    }
  }
}
