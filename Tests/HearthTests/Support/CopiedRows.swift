import TestSupport

@testable import Hearth
@testable import Storage

/// The rows of a SQLite file in a PostgreSQL database.
enum CopiedRows {
  /// The tables that are the database's own: `search_word` derives from `search_entry`.
  private static let others =
    "('migration', 'commit_token', 'search_word', 'process', 'lease', 'rate_limit', 'partition_change')"

  /// Replaces all rows of a database that has the schema.
  static func replace(in database: String, byThoseOf file: String) async throws {
    let cluster = try await PostgreSQLCluster.shared()
    let tables = try await cluster.execute(
      """
      SELECT table_name || ' ' || string_agg('"' || column_name || '"', ' ' ORDER BY ordinal_position) \
      FROM information_schema.columns WHERE table_schema = 'public' AND is_generated = 'NEVER' \
      AND table_name NOT IN \(others) GROUP BY table_name;
      """,
      in: database
    )
    let reader = try Database.reader(of: file)
    // Triggers and foreign keys have done their work in the file.
    var script = "SET session_replication_role = replica;\n"
    for line in tables.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      let (table, columns) = (words[0], words.dropFirst())
      let values = columns.map { column in
        "CASE typeof(\(column)) WHEN 'blob' THEN '''\\x' || hex(\(column)) || '''' ELSE quote(\(column)) END"
      }
      if table == "sequence" {
        // A view, whose trigger is off like the others.
        try reader.statement(StatementText("SELECT next FROM sequence")).forEachRow { row in
          script += "SELECT setval('key_block', \(row.int64(0)), false);\n"
        }
        continue
      }
      script += "DELETE FROM \(table);\n"
      try reader.statement(StatementText("SELECT \(values.joined(separator: " || ',' || ")) FROM \(table)"))
        .forEachRow { row in
          script += "INSERT INTO \(table) (\(columns.joined(separator: ","))) VALUES (\(row.string(0)));\n"
        }
    }
    script +=
      "INSERT INTO search_word (word, id) SELECT w, e.id FROM search_entry AS e, search_words_of(e.words) AS s (w);"
    try await cluster.execute(script, in: database)
  }
}
