import GraphQL
import Storage

extension StoredType {
  /// The object type of a table's rows, with a column for each of the table's.
  ///
  /// - Parameters:
  ///   - alias: what the table is called in the statements that load it.
  ///   - key: the column of the rows' keys, which clients see enciphered.
  init<Row>(_ table: Table<Row>, as alias: String, key: KeyPath<Row, GlobalID>) {
    self.key = "\(sql: alias).\(sql: table.column(key).name)"
    columns = table.columns.map { column in
      if column.property == key { return .identifier }
      let expression: SQLFragment<LoaderParameters> = "\(sql: alias).\(sql: column.name)"
      switch (column.valueType as? any StoredValue.Type)?.source {
      case .formatted(let format): return Column(source: .sql(expression), format: format)
      case .bytes: return .bytes(expression)
      case nil: preconditionFailure("\(table.name).\(column.name) has values that no field can have.")
      }
    }
  }
}
