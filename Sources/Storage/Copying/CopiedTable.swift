/// A table whose rows are copied from one engine to the other.
package struct CopiedTable: Equatable, Sendable {
  package enum ColumnType: Sendable {
    case integer, text, blob
  }

  package struct Column: Equatable, Sendable {
    let name: String
    let type: ColumnType
  }

  package let name: String
  /// Without generated columns.
  let columns: [Column]

  package var columnNames: [String] { columns.map(\.name) }

  /// The names of the columns in a statement.
  var columnList: String { columns.map { "\"\($0.name)\"" }.joined(separator: ", ") }

  /// The index of a column; nil if the table has none of this name.
  package func index(of column: String) -> Int? { columns.firstIndex { $0.name == column } }
}
