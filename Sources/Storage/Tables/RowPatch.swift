/// The columns of a row that an update changes, and their new values. All other columns keep their values.
package struct RowPatch<Row: Sendable>: Sendable {
  private struct Change: Sendable {
    /// Nil for NULL.
    let value: (any SQLValue)?
    let apply: @Sendable (inout Row) -> Void
  }

  /// Keyed by column name.
  private var changes: [String: Change] = [:]
  private let table: Table<Row>

  package init(of table: Table<Row>) { self.table = table }

  /// Whether all columns keep their values.
  package var isEmpty: Bool { changes.isEmpty }

  /// Changes a column that is not nullable.
  package mutating func set<Value: SQLValue>(
    _ property: any WritableKeyPath<Row, Value> & Sendable,
    to value: Value?
  ) {
    guard let value else { return }
    changes[table.column(property).name] = Change(value: value) { row in row[keyPath: property] = value }
  }

  /// Changes a nullable column.
  package mutating func apply<Value: SQLValue>(
    _ patch: Patch<Value>,
    to property: any WritableKeyPath<Row, Value?> & Sendable
  ) {
    let value: Value?
    switch patch {
    case .unchanged: return
    case .set(let new): value = new
    case .cleared: value = nil
    }
    changes[table.column(property).name] = Change(value: value) { row in row[keyPath: property] = value }
  }

  /// Applies the changes to a row that is not stored yet.
  package func apply(to row: inout Row) {
    for change in changes.values { change.apply(&row) }
  }

  /// Nil when the column keeps its value; the inner value is nil for NULL.
  func change(of column: String) -> (any SQLValue)?? { changes[column].map(\.value) }

  /// The changed columns, in no particular order.
  var changedColumns: some Collection<String> { changes.keys }
}

/// A statement that applies a patch to the rows that match a condition.
package struct PatchStatement<Row: Sendable, Parameters>: Sendable {
  package let statement: StatementText
  let parameters: [BoundParameter]
  let columns: [String]

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
    let columns = properties.map { column($0).name }
    let changes = columns.enumerated().map { index, name in
      let number = found.parameters.count + 2 * index + 1
      return "\(name) = CASE WHEN ?\(number) THEN ?\(number + 1) ELSE \(name) END"
    }
    return PatchStatement(
      statement: StatementText("UPDATE \(name) SET \(changes.joined(separator: ", ")) WHERE \(found.text)"),
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
    _ patch: RowPatch<Row>,
    _ parameters: Parameters
  ) throws(DatabaseError) {
    assert(patch.changedColumns.allSatisfy(update.columns.contains), "The statement does not update all changes.")
    let statement = try statement(update.statement)
    try statement.bind(update.parameters, of: parameters)
    for (index, column) in update.columns.enumerated() {
      guard let change = patch.change(of: column) else { continue }
      let number = update.parameters.count + 2 * index + 1
      try statement.bind(true, at: number)
      if let value = change { try value.bind(to: statement, at: number + 1) }
    }
    try statement.run()
  }
}
