import Storage

/// A part of an export: the rows of a statement, as a list of JSON objects.
struct ExportSection: Sendable {
  /// The expression that is selected, and how its value is written.
  typealias Column = (expression: SQLFragment<MemberKey>, value: ExportedValue)

  let name: String
  let statement: SQL<MemberKey>
  /// The names of the statement's columns and how they are written.
  let columns: [(name: String, value: ExportedValue)]

  /// - Parameter rows: what follows `FROM`.
  init(_ name: String, from rows: SQLFragment<MemberKey>, columns: KeyValuePairs<String, Column>) {
    self.name = name
    statement = SQL("SELECT \(SQLFragment(joining: columns.map { $0.value.expression })) FROM \(rows)")
    self.columns = columns.map { (name: $0.key, value: $0.value.value) }
  }
}
