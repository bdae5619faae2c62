/// The SQL of statements that is specific to SQLite. Another database engine would implement these interpolations, and
/// only these, differently. The constructs of the schema (`WITHOUT ROWID`, triggers, FTS5) are in the migrations.
extension SQLFragment.StringInterpolation {
  /// The keys of a list as a table with the columns `value` and `slot`: see `KeysTable`.
  package mutating func appendInterpolation(table name: KeyPath<Parameters, [Int64]>) {
    append(BoundParameter(keys: name), name, in: .keysTable)
  }

  /// The elements of a JSON array as a table with the column `value`.
  package mutating func appendInterpolation(elementsOf name: KeyPath<Parameters, String>) {
    append(BoundParameter(name), name, in: .elementsTable)
  }

  /// Follows a table name: its rows are found by that index only. SQLite rejects the statement if that is impossible
  /// (https://sqlite.org/lang_indexedby.html).
  package mutating func appendInterpolation(index name: String) { appendLiteral("INDEXED BY \(name)") }

  /// Precedes a joined table, whose condition follows ON.
  package mutating func appendInterpolation(join order: JoinOrder) {
    switch order {
    case .asWritten: appendLiteral("CROSS JOIN")
    }
  }

  /// The lesser of two values; NULL where one is NULL.
  package mutating func appendInterpolation(
    lesserOf one: SQLFragment<Parameters>,
    _ other: SQLFragment<Parameters>
  ) {
    appendInterpolation("min(\(one), \(other))")
  }

  /// The greater of two values; NULL where one is NULL.
  package mutating func appendInterpolation(
    greaterOf one: SQLFragment<Parameters>,
    _ other: SQLFragment<Parameters>
  ) {
    appendInterpolation("max(\(one), \(other))")
  }

  /// The position of a text in the text of a column, starting at 1; 0 if it does not occur.
  package mutating func appendInterpolation<Value: SQLValue>(
    positionOf name: KeyPath<Parameters, Value>,
    in column: String
  ) {
    appendInterpolation("instr(\(sql: column), \(name))")
  }

  /// The key of a row of a full-text index.
  package mutating func appendInterpolation(keyOf index: FullTextIndex) { appendLiteral("rowid") }

  /// The rows of a full-text index that match an expression in its query language. Follows FROM and ends within WHERE.
  package mutating func appendInterpolation(_ index: FullTextIndex, matching name: KeyPath<Parameters, String>) {
    appendLiteral("\(index.name) WHERE \(index.name) MATCH ")
    append(BoundParameter(name), name, in: .value)
  }
}

extension WriteTransaction {
  /// Checks foreign keys at the commit instead of after each statement.
  package func deferForeignKeys() throws(DatabaseError) { try statement(.deferForeignKeys).run() }
}

extension StatementText {
  fileprivate static let deferForeignKeys = StatementText("PRAGMA defer_foreign_keys = ON")
}

/// The order in which the tables of a join are read.
package enum JoinOrder {
  /// The left table is the outer loop (https://sqlite.org/optoverview.html#crossjoin).
  case asWritten
}

/// A full-text index (FTS5).
package struct FullTextIndex: Sendable {
  let name: String

  package init(_ name: String) { self.name = name }
}

/// How a parameter appears in the text of a statement.
enum DialectForm {
  case value
  case keysTable
  case elementsTable

  func text(of number: Int) -> String {
    switch self {
    case .value: "?\(number)"
    case .keysTable: "keys(?\(number))"
    case .elementsTable: "json_each(?\(number))"
    }
  }
}
