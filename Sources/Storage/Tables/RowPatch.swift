/// The columns of a stored row that an update changes, and their new values. All other columns keep their values.
package struct RowPatch<Row: Sendable>: RowChanges {
  struct Change: Sendable {
    let property: any PartialKeyPath<Row> & Sendable
    let value: any SQLValue
  }

  /// In the order in which they were made: a later change of a column replaces an earlier one. Columns are looked up
  /// when a statement runs.
  private(set) var changes: [Change] = []

  package init() {}

  /// Whether all columns keep their values.
  package var isEmpty: Bool { changes.isEmpty }

  package mutating func set<Value: SQLValue>(
    _ property: any WritableKeyPath<Row, Value> & Sendable,
    to value: Value
  ) {
    changes.append(Change(property: property, value: value))
  }
}

/// A statement that applies a patch to the rows that match a condition.
package struct PatchStatement<Row: Sendable, Parameters>: Sendable {
  package let statement: StatementText
  let parameters: [BoundParameter]
  let columns: [Column<Row>]

  package var text: String { statement.text }
}

extension Table {
  /// A statement that updates those columns that a patch changes, except `properties`. A column that is declared later
  /// is included.
  package func update<Parameters>(
    except properties: [PartialKeyPath<Row>],
    where condition: SQLFragment<Parameters>
  ) -> PatchStatement<Row, Parameters> {
    update(columns.map(\.property).filter { !properties.contains($0) }, where: condition)
  }

  /// The statement that updates those of `properties` that a patch changes.
  package func update<Parameters>(
    _ properties: [PartialKeyPath<Row>],
    where condition: SQLFragment<Parameters>
  ) -> PatchStatement<Row, Parameters> {
    let found = SQL<Parameters>("\(condition)")
    let columns = properties.map { column($0) }
    func text(_ mark: Character, where condition: String) -> String {
      let changes = columns.enumerated().map { index, column in
        let number = found.parameters.count + 2 * index + 1
        return "\(column.name) = CASE WHEN \(mark)\(number) = 1 THEN \(mark)\(number + 1) ELSE \(column.name) END"
      }
      return "UPDATE \(name) SET \(changes.joined(separator: ", ")) WHERE \(condition)"
    }
    let texts = DialectTexts(
      sqlite: text("?", where: found.statement.text),
      postgreSQL: text("$", where: found.statement.postgreSQLText)
    )
    let types = columns.flatMap { [.integer, ParameterType($0.valueType.sqlType)] }
    return PatchStatement(
      statement: StatementText(
        texts,
        types: found.statement.parameterTypes + types,
        reads: StatementReads(rest: texts)
      ),
      parameters: found.parameters,
      columns: columns
    )
  }
}

extension WriteTransaction {
  /// Applies a patch. `changedRows` is 0 afterwards if no row matched. The patch must not change columns that the
  /// statement does not update.
  package func run<Row, Parameters>(
    _ update: PatchStatement<Row, Parameters>,
    patch: RowPatch<Row>,
    parameters: Parameters
  ) throws(DatabaseError) {
    let statement = try statement(update.statement)
    try statement.bind(update.parameters, of: parameters)
    for change in patch.changes {
      guard let index = update.columns.firstIndex(where: { $0.property == change.property }) else {
        preconditionFailure("\(update.text) does not update \(change.property).")
      }
      let number = update.parameters.count + 2 * index + 1
      try statement.bind(true, at: number)
      try change.value.bind(to: statement, at: number + 1)
    }
    try statement.run()
  }
}
