extension Table {
  /// A statement that copies rows of the table. Every column without a replacement is copied, including columns that
  /// are declared later. The database assigns the key of a copy if it assigns keys at all.
  ///
  /// - Parameters:
  ///   - condition: the rows to copy, and the rest of the statement, such as `ON CONFLICT`.
  package func copy<Parameters>(
    _ replacements: [Replacement<Row, Parameters>],
    where condition: SQLFragment<Parameters>
  ) -> SQL<Parameters> {
    let copied = columns.filter { !$0.isAssigned }
    let values = copied.map { column in
      replacements.first { $0.property == column.property }?.value ?? "\(sql: column.name)"
    }
    return SQL(
      """
      INSERT INTO \(sql: name) (\(sql: Self.list(copied))) \
      SELECT \(SQLFragment(joining: values)) FROM \(sql: name) WHERE \(condition)
      """
    )
  }
}
