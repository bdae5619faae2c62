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
/// one of them: `insert`, `copy` and `update`. A property with a default is what a new row has in that column. A key
/// that the database assigns is declared by `Column.init(assigned:_:)`.
package struct Table<Row: Sendable>: Sendable {
  package let name: String
  package let columns: [Column<Row>]
  /// Inserts a row with all columns except one that the database assigns.
  package let insert: SQL<Row>

  private let insertion: SQLFragment<Row>

  /// - Parameter failure: what happens to a row whose insertion fails.
  package init(_ name: String, onFailure failure: InsertionFailure = .undo, _ columns: [Column<Row>]) {
    self.name = name
    self.columns = columns
    insertion = Self.insertion(into: name, columns, onFailure: failure)
    insert = SQL(insertion)
  }

  /// Inserts a row like `insert`.
  ///
  /// - Parameter clause: the rest of the statement, such as `ON CONFLICT` or `RETURNING`.
  package func insert(then clause: SQLFragment<Row>) -> SQL<Row> {
    SQL("\(insertion) \(clause)")
  }

  private static func insertion(
    into name: String,
    _ columns: [Column<Row>],
    onFailure failure: InsertionFailure
  ) -> SQLFragment<Row> {
    let given = columns.filter { !$0.isAssigned }
    return "\(insert: failure) \(sql: name) (\(sql: list(given))) VALUES (\(values(given)))"
  }

  /// The parameters of the columns, separated by commas.
  static func values(_ columns: [Column<Row>]) -> SQLFragment<Row> {
    SQLFragment(joining: columns.map(\.parameter))
  }

  /// The names of the columns, separated by commas.
  static func list(_ columns: [Column<Row>]) -> String { columns.map(\.name).joined(separator: ", ") }

  /// The column that holds a property.
  package func column(_ property: PartialKeyPath<Row>) -> Column<Row> { columns[index(of: property)] }

  /// The index, in declaration order, of the column that holds a property.
  package func index(of property: PartialKeyPath<Row>) -> Int {
    if let index = columns.firstIndex(where: { $0.property == property }) { return index }
    preconditionFailure("\(name) has no column for \(property).")
  }
}

/// What happens to a row whose insertion fails. PostgreSQL always undoes the statement.
package enum InsertionFailure: Sendable {
  /// The statement is undone, and the write can go on.
  case undo
  /// SQLite undoes nothing (https://sqlite.org/lang_conflict.html): the write must fail, too. If a table has triggers,
  /// and no foreign key that is checked after each statement, SQLite then need not copy the pages that an insertion
  /// changes, which took 20,000 instructions for a chore.
  case failWrite
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
  /// Whether the database assigns the value in a new row.
  let isAssigned: Bool

  package init<Value: SQLValue>(_ name: String, _ property: KeyPath<Row, Value>) {
    self.init(name, property, isAssigned: false)
  }

  /// The key of a table whose keys the database assigns. An insert omits the property and ignores its value.
  package init(assigned name: String, _ property: KeyPath<Row, Int64>) {
    self.init(name, property, isAssigned: true)
  }

  private init<Value: SQLValue>(_ name: String, _ property: KeyPath<Row, Value>, isAssigned: Bool) {
    self.name = name
    self.property = property
    valueType = Value.self
    parameter = "\(property)"
    self.isAssigned = isAssigned
  }
}

/// The declared type of a column.
@usableFromInline package struct SQLType: Sendable, Equatable {
  package enum Storage: String, Sendable { case integer = "INTEGER", real = "REAL", text = "TEXT", blob = "BLOB" }

  package let storage: Storage
  package let isNullable: Bool

  package init(_ storage: Storage, isNullable: Bool = false) {
    self.storage = storage
    self.isNullable = isNullable
  }
}
