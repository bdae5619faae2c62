extension Table {
  /// A statement that inserts rows selected by a query. Every column needs a value, so that a column that is declared
  /// later cannot be forgotten.
  ///
  /// - Parameters:
  ///   - source: the text after FROM, and the rest of the statement, such as `WHERE` and `ON CONFLICT`.
  package func insert<Parameters>(
    _ values: [Replacement<Row, Parameters>],
    from source: SQLFragment<Parameters>
  ) -> SQL<Parameters> {
    var selected: SQLFragment<Parameters> = ""
    for (index, column) in columns.enumerated() {
      guard let value = values.first(where: { $0.property == column.property })?.value else {
        preconditionFailure("\(name).\(column.name) needs a value.")
      }
      selected += index == 0 ? "" : ", "
      selected += value
    }
    return SQL(
      "INSERT INTO \(sql: name) (\(sql: Self.list(columns))) SELECT \(selected) FROM \(source)"
    )
  }

  /// A statement that inserts a row of which one column is computed from other parameters.
  package func insert<Parameters, Part>(
    _ row: KeyPath<Parameters, Row>,
    setting property: PartialKeyPath<Row>,
    to value: SQLFragment<Part>,
    of part: KeyPath<Parameters, Part>
  ) -> SQL<Parameters> {
    let inserted = columns.filter { !$0.isAssigned }
    var values: SQLFragment<Parameters> = ""
    for (index, column) in inserted.enumerated() {
      values += index == 0 ? "" : ", "
      values += column.property == property ? "\(value, of: part)" : "\(column.parameter, of: row)"
    }
    return SQL("INSERT INTO \(sql: name) (\(sql: Self.list(inserted))) VALUES (\(values))")
  }

  /// A statement that overwrites all columns except `keys` of the row that has the same values in `keys`.
  package func overwrite(matching keys: [PartialKeyPath<Row>]) -> SQL<Row> {
    var changes: SQLFragment<Row> = ""
    for (index, column) in columns.filter({ !keys.contains($0.property) }).enumerated() {
      changes += index == 0 ? "" : ", "
      changes += "\(sql: column.name) = \(column.parameter)"
    }
    var condition: SQLFragment<Row> = ""
    for (index, column) in keys.map(column).enumerated() {
      condition += index == 0 ? "" : " AND "
      condition += "\(sql: column.name) = \(column.parameter)"
    }
    return SQL("UPDATE \(sql: name) SET \(changes) WHERE \(condition)")
  }
}
