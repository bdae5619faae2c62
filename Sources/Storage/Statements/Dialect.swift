/// What statements need of SQLite that is not standard SQL. Another engine would write these interpolations, and only
/// these, in another way. The schema's own constructs (`WITHOUT ROWID`, triggers, FTS5) are in the migrations.
extension SQLFragment.StringInterpolation {
  /// The keys of a list as a table with the columns `value` and `slot`: see `KeysTable`.
  package mutating func appendInterpolation(table name: KeyPath<Parameters, [Int64]>) {
    append(BoundParameter(keys: name), name, in: .keysTable)
  }

  /// The elements of a JSON array as a table with the column `value`.
  package mutating func appendInterpolation(elementsOf name: KeyPath<Parameters, String>) {
    append(BoundParameter(name), name, in: .elementsTable)
  }

  /// Stands after a table: its rows are found by that index, and by no other. The statement is refused when that is
  /// impossible (https://sqlite.org/lang_indexedby.html).
  package mutating func appendInterpolation(index name: String) { appendLiteral("INDEXED BY \(name)") }

  /// Stands before a table that is joined, with its condition after ON.
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

  /// Where a text begins within that of a column, from 1; 0 when it is not in it.
  package mutating func appendInterpolation<Value: SQLValue>(
    positionOf name: KeyPath<Parameters, Value>,
    in column: String
  ) {
    appendInterpolation("instr(\(sql: column), \(name))")
  }

  /// The key of a row of a full-text index.
  package mutating func appendInterpolation(keyOf index: FullTextIndex) { appendLiteral("rowid") }

  /// The rows of a full-text index that match an expression in its language: stands after FROM and ends within WHERE.
  package mutating func appendInterpolation(_ index: FullTextIndex, matching name: KeyPath<Parameters, String>) {
    appendLiteral("\(index.name) WHERE \(index.name) MATCH ")
    append(BoundParameter(name), name, in: .value)
  }
}

extension WriteTransaction {
  /// Checks references to other rows at the commit and no earlier.
  package func deferForeignKeys() throws(DatabaseError) { try statement(.deferForeignKeys).run() }
}

extension StatementText {
  fileprivate static let deferForeignKeys = StatementText("PRAGMA defer_foreign_keys = ON")
}

/// In which order the tables of a join are read.
package enum JoinOrder {
  /// The table before is the outer loop (https://sqlite.org/optoverview.html#crossjoin).
  case asWritten
}

/// An index of words, by its name.
package struct FullTextIndex: Sendable {
  let name: String

  package init(_ name: String) { self.name = name }
}

/// How a parameter is written.
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
