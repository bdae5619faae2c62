/// A table, declared once: each column with the stored property of `Row` that holds its value.
///
/// ```swift
/// struct Item: Sendable {
///   var id: GlobalID
///   var name: String
///   var photo: Int64?
///
///   static let table = Table<Item>("item", [
///     Column("id", \.id),
///     Column("name", \.name),
///     Column("photo", \.photo),
///   ])
/// }
/// ```
///
/// Statements that concern all columns are derived from the declaration, so that a new column cannot be forgotten in
/// one of them: `insert`, `copy` and `update`. A property with a default is what a new row has in that column.
package struct Table<Row: Sendable>: Sendable {
  package let name: String
  package let columns: [Column<Row>]
  /// Inserts a row with all its columns.
  package let insert: SQL<Row>

  package init(_ name: String, _ columns: [Column<Row>]) {
    self.name = name
    self.columns = columns
    insert = SQL(Self.insertion(into: name, columns))
  }

  /// Inserts a row like `insert`.
  ///
  /// - Parameter clause: what follows in the statement, such as `ON CONFLICT` or `RETURNING`.
  package func insert(then clause: SQLFragment<Row>) -> SQL<Row> {
    SQL("\(Self.insertion(into: name, columns)) \(clause)")
  }

  private static func insertion(into name: String, _ columns: [Column<Row>]) -> SQLFragment<Row> {
    var values: SQLFragment<Row> = ""
    for (index, column) in columns.enumerated() {
      values += index == 0 ? "" : ", "
      values += column.parameter
    }
    return "INSERT INTO \(sql: name) (\(sql: list(columns))) VALUES (\(values))"
  }

  /// The names of columns, separated by commas.
  static func list(_ columns: [Column<Row>]) -> String { columns.map(\.name).joined(separator: ", ") }

  /// The column that holds a property.
  package func column(_ property: PartialKeyPath<Row>) -> Column<Row> { columns[index(of: property)] }

  /// The position of the column that holds a property, in the order of the declaration.
  package func index(of property: PartialKeyPath<Row>) -> Int {
    if let index = columns.firstIndex(where: { $0.property == property }) { return index }
    preconditionFailure("\(name) has no column for \(property).")
  }
}

/// A column of a table: its name, and the stored property of `Row` that holds its value.
///
/// Immutable; `@unchecked Sendable` because key paths are not Sendable by their type, though those of stored properties
/// capture nothing.
package struct Column<Row: Sendable>: @unchecked Sendable {
  package let name: String
  package let property: PartialKeyPath<Row>
  package let valueType: any SQLValue.Type
  let parameter: SQLFragment<Row>
  let boundParameter: BoundParameter

  package init<Value: SQLValue>(_ name: String, _ property: KeyPath<Row, Value>) {
    self.name = name
    self.property = property
    valueType = Value.self
    parameter = "\(property)"
    boundParameter = BoundParameter(property)
  }
}

/// The type of a column, as a declaration states it.
package struct SQLType: Sendable, Equatable {
  package enum Storage: String, Sendable { case integer = "INTEGER", real = "REAL", text = "TEXT", blob = "BLOB" }

  package let storage: Storage
  package let isNullable: Bool

  package init(_ storage: Storage, isNullable: Bool = false) {
    self.storage = storage
    self.isNullable = isNullable
  }
}
