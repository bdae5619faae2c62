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
    let selected = columns.map { column in
      guard let value = values.first(where: { $0.property == column.property })?.value else {
        preconditionFailure("\(name).\(column.name) needs a value.")
      }
      return value
    }
    return SQL(
      """
      INSERT INTO \(sql: name) (\(sql: Self.list(columns))) \
      SELECT \(SQLFragment(joining: selected)) FROM \(source)
      """
    )
  }

  /// A statement that inserts a row if a condition is met.
  package func insert<Parameters>(
    _ row: KeyPath<Parameters, Row>,
    where condition: SQLFragment<Parameters>
  ) -> SQL<Parameters> {
    let inserted = columns.filter { !$0.isAssigned }
    let values: [SQLFragment<Parameters>] = inserted.map { column in "\(column.parameter, of: row)" }
    return SQL(
      """
      INSERT INTO \(sql: name) (\(sql: Self.list(inserted))) \
      SELECT \(SQLFragment(joining: values)) WHERE \(condition)
      """
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
    let values: [SQLFragment<Parameters>] = inserted.map { column in
      column.property == property ? "\(value, of: part)" : "\(column.parameter, of: row)"
    }
    return SQL("INSERT INTO \(sql: name) (\(sql: Self.list(inserted))) VALUES (\(SQLFragment(joining: values)))")
  }

  /// A statement that overwrites all columns except `keys` of the row that has the same values in `keys`.
  package func overwrite(matching keys: [PartialKeyPath<Row>]) -> SQL<Row> {
    func equations(_ columns: [Column<Row>]) -> [SQLFragment<Row>] {
      columns.map { "\(sql: $0.name) = \($0.parameter)" }
    }
    let changes = SQLFragment(joining: equations(columns.filter { !keys.contains($0.property) }))
    let condition = SQLFragment(joining: equations(keys.map(column)), separator: " AND ")
    return SQL("UPDATE \(sql: name) SET \(changes) WHERE \(condition)")
  }
}
