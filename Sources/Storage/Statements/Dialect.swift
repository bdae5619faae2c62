/// The SQL of statements that SQLite and PostgreSQL express differently. The constructs of the schema (`WITHOUT ROWID`,
/// triggers, full-text search) are in the migrations.
extension SQLFragment.StringInterpolation {
  /// The keys of a list as a table with the columns `value` and `slot`: see `KeysTable`.
  package mutating func appendInterpolation(table name: KeyPath<Parameters, [Int64]>) {
    append(BoundParameter(keys: name), name: name, in: .keysTable)
  }

  /// The elements of a JSON array as a table with the column `value`.
  package mutating func appendInterpolation(elementsOf name: KeyPath<Parameters, String>) {
    append(BoundParameter(name), name: name, in: .elementsTable)
  }

  /// Follows a table name: its rows are found by that index only. SQLite rejects the statement if that is impossible
  /// (https://sqlite.org/lang_indexedby.html). PostgreSQL's planner cannot be told.
  package mutating func appendInterpolation(index name: String) { append(sqlite: "INDEXED BY \(name)", postgreSQL: "") }

  /// Precedes a joined table, whose condition follows ON.
  package mutating func appendInterpolation(join order: JoinOrder) {
    switch order {
    case .asWritten: append(sqlite: "CROSS JOIN", postgreSQL: "JOIN")
    }
  }

  /// Ends a statement whose rows SQLite reads in this order anyway, by the index that it uses. SQLite would sort them
  /// again; PostgreSQL returns rows in any order without ORDER BY.
  package mutating func appendInterpolation(order columns: String) {
    append(sqlite: "", postgreSQL: " ORDER BY \(columns)")
  }

  /// Ends a statement whose row is read on PostgreSQL only, where it arrives with the commit. SQLite would materialize
  /// a table for it.
  package mutating func appendInterpolation(returning columns: String) {
    append(sqlite: "", postgreSQL: " RETURNING \(columns)")
  }

  /// A statement that raises the number in a table of one row by at least `count`, and by a random number of `bits`
  /// more. On PostgreSQL the table is a view of a sequence, whose row an UPDATE could not lock.
  package mutating func appendInterpolation(
    raise column: String,
    in table: String,
    by count: Int64,
    andRandomBits bits: Int
  ) {
    let random = Int64(1) << bits
    append(
      sqlite: "UPDATE \(table) SET \(column) = \(column) + \(count) + (random() & \(random - 1))",
      postgreSQL: """
        INSERT INTO \(table) (\(column)) \
        SELECT \(column) + \(count) + CAST(floor(random() * \(random)) AS bigint) FROM \(table)
        """
    )
  }

  /// Begins an insertion.
  mutating func appendInterpolation(insert failure: InsertionFailure) {
    switch failure {
    case .undo: append(sqlite: "INSERT INTO", postgreSQL: "INSERT INTO")
    case .failWrite: append(sqlite: "INSERT OR FAIL INTO", postgreSQL: "INSERT INTO")
    }
  }

  /// The lesser of two values. Neither may be NULL: the engines differ in what the result is then.
  package mutating func appendInterpolation(
    lesserOf one: SQLFragment<Parameters>,
    _ other: SQLFragment<Parameters>
  ) {
    append(sqlite: "min(", postgreSQL: "least(")
    appendInterpolation("\(one), \(other))")
  }

  /// The greater of two values. Neither may be NULL.
  package mutating func appendInterpolation(
    greaterOf one: SQLFragment<Parameters>,
    _ other: SQLFragment<Parameters>
  ) {
    append(sqlite: "max(", postgreSQL: "greatest(")
    appendInterpolation("\(one), \(other))")
  }

  /// The position of a text in the text of a column, starting at 1; 0 if it does not occur.
  package mutating func appendInterpolation<Value: SQLValue>(
    positionOf name: KeyPath<Parameters, Value>,
    in column: String
  ) {
    append(sqlite: "instr(", postgreSQL: "strpos(")
    appendInterpolation("\(sql: column), \(name))")
  }

  /// A column that is 0 or 1 as a condition, in the words of a partial index: SQLite uses the index only if the words
  /// are the same.
  package mutating func appendInterpolation(isTrue column: String) {
    append(sqlite: column, postgreSQL: "\(column) = 1")
  }

  /// A text column, or the empty text for NULL, in the words of an index over this expression.
  package mutating func appendInterpolation(orEmpty column: String) {
    append(sqlite: "ifnull(\(column), '')", postgreSQL: "coalesce(\(column), '')")
  }

  /// The statement that returns the keys of the rows of a full-text index that match an expression in its query
  /// language: those above a key, in the order of the keys, and at most so many.
  package mutating func appendInterpolation(
    matchesOf index: FullTextIndex,
    _ expression: KeyPath<Parameters, String>,
    above key: KeyPath<Parameters, Int64>,
    limit: KeyPath<Parameters, Int64>
  ) {
    appendMatches(of: index, expression: expression, key: key, limit: limit, isBackward: false)
  }

  /// The same for the keys below a key, the highest first.
  package mutating func appendInterpolation(
    matchesOf index: FullTextIndex,
    _ expression: KeyPath<Parameters, String>,
    below key: KeyPath<Parameters, Int64>,
    limit: KeyPath<Parameters, Int64>
  ) {
    appendMatches(of: index, expression: expression, key: key, limit: limit, isBackward: true)
  }

  private mutating func appendMatches(
    of index: FullTextIndex,
    expression: KeyPath<Parameters, String>,
    key: KeyPath<Parameters, Int64>,
    limit: KeyPath<Parameters, Int64>,
    isBackward: Bool
  ) {
    append(
      sqlite: "SELECT rowid FROM \(index.name) WHERE \(index.name) MATCH ",
      postgreSQL: "SELECT id FROM \(index.name)_matches\(isBackward ? "_before" : "")("
    )
    appendInterpolation(expression)
    append(sqlite: " AND rowid \(isBackward ? "<" : ">") ", postgreSQL: ", ")
    appendInterpolation(key)
    append(sqlite: " ORDER BY rowid \(isBackward ? "DESC " : "")LIMIT ", postgreSQL: ", ")
    appendInterpolation(limit)
    append(sqlite: "", postgreSQL: ") AS m(id)")
  }

  /// The same for at most `limit` matches in any order.
  package mutating func appendInterpolation(
    anyMatchesOf index: FullTextIndex,
    _ expression: KeyPath<Parameters, String>,
    limit: Int
  ) {
    append(
      sqlite: "SELECT rowid FROM \(index.name) WHERE \(index.name) MATCH ",
      postgreSQL: "SELECT id FROM \(index.name)_matches("
    )
    appendInterpolation(expression)
    append(sqlite: " LIMIT \(limit)", postgreSQL: ", 0, \(limit)) AS m(id)")
  }
}

extension SQLFragment {
  /// A construct without parameters that the engines express differently.
  private init(sqlite: String, postgreSQL: String) {
    pieces = [.dialect(DialectTexts(sqlite: sqlite, postgreSQL: postgreSQL))]
  }

  /// The size of the database in bytes: of the SQLite file with its write-ahead log copied into it, or of all files of
  /// the PostgreSQL database.
  package static var databaseSize: SQLFragment {
    SQLFragment(
      sqlite: "(SELECT page_count * page_size FROM pragma_page_count, pragma_page_size)",
      postgreSQL: "pg_database_size(current_database())"
    )
  }

  /// A blob of no bytes.
  package static var emptyBlob: SQLFragment { SQLFragment(sqlite: "x''", postgreSQL: "''::bytea") }
}

extension WriteTransaction {
  /// Checks foreign keys at the commit instead of after each statement.
  package func deferForeignKeys() throws(DatabaseError) { try statement(.deferForeignKeys).run() }
}

extension StatementText {
  fileprivate static let deferForeignKeys = StatementText(
    DialectTexts(sqlite: "PRAGMA defer_foreign_keys = ON", postgreSQL: "SET CONSTRAINTS ALL DEFERRED"),
    types: [],
    reads: StatementReads()
  )
}

/// The order in which the tables of a join are read.
package enum JoinOrder {
  /// The left table is the outer loop (https://sqlite.org/optoverview.html#crossjoin).
  case asWritten
}

/// A full-text index: FTS5 in SQLite, a table of words in PostgreSQL.
package struct FullTextIndex: Sendable {
  let name: String

  package init(_ name: String) { self.name = name }
}

/// How a parameter appears in the text of a statement.
enum DialectForm {
  case value
  case keysTable
  case elementsTable
  /// The rows of a table with the parameter's value in the column of its partitions.
  case partition(PartitionedTable, index: String?)

  func texts(of number: Int) -> DialectTexts {
    switch self {
    case .value: return DialectTexts(sqlite: "?\(number)", postgreSQL: "$\(number)")
    case .keysTable: return DialectTexts(sqlite: "keys(?\(number))", postgreSQL: "keys($\(number))")
    case .elementsTable:
      return DialectTexts(sqlite: "json_each(?\(number))", postgreSQL: "json_array_elements(CAST($\(number) AS json))")
    case .partition(let table, let index):
      let (rows, index) = ("(SELECT * FROM \(table.name)", index.map { " INDEXED BY \($0)" } ?? "")
      return DialectTexts(
        sqlite: "\(rows)\(index) WHERE \(table.column) = ?\(number))",
        postgreSQL: "\(rows) WHERE \(table.column) = $\(number))"
      )
    }
  }
}
