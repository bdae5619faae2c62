import GraphQL
import Storage

extension StoredType {
  /// The object type for a table's rows, with a column for each of the table's.
  ///
  /// - Parameters:
  ///   - alias: the table's alias in the statements that load it.
  ///   - key: the column of the rows' keys. Clients see it as an encrypted id.
  init<Row>(_ table: Table<Row>, as alias: String, key: KeyPath<Row, GlobalID>) {
    self.key = "\(sql: alias).\(sql: table.column(key).name)"
    columns = table.columns.map { column in
      if column.property == key { return .identifier }
      guard let type = column.valueType as? any StoredValue.Type else {
        preconditionFailure("\(table.name).\(column.name) has a type that fields cannot return.")
      }
      return Column(type.source, expression: "\(sql: alias).\(sql: column.name)")
    }
  }
}

extension StoredType.Column {
  fileprivate init(_ source: StoredSource, expression: SQLFragment<LoaderParameters>) {
    switch source {
    case .formatted(let format): self.init(source: .sql(expression), format: format)
    case .bytes: self = .bytes(expression)
    }
  }

  /// A column of a table with the given alias.
  static func stored<Row: StoredRow, Value: StoredValue>(_ property: KeyPath<Row, Value>, of alias: String) -> Self {
    Self(Value.source, expression: "\(sql: alias).\(sql: Row.table.column(property).name)")
  }
}
