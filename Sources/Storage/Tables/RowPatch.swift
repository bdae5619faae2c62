/// The columns of a row that an update changes, and their new values. All other columns keep their values.
package struct RowPatch<Row: Sendable>: Sendable {
  /// Keyed by column name.
  private var changes: [String: (any SQLValue)?] = [:]
  private let table: Table<Row>

  package init(of table: Table<Row>) { self.table = table }

  /// Whether all columns keep their values.
  package var isEmpty: Bool { changes.isEmpty }

  /// Changes a column that is not nullable.
  package mutating func set<Value: SQLValue>(_ property: KeyPath<Row, Value>, to value: Value?) {
    if let value { changes[table.column(property).name] = .some(value) }
  }

  /// Changes a nullable column.
  package mutating func apply<Value: SQLValue>(_ patch: Patch<Value>, to property: KeyPath<Row, Value?>) {
    let name = table.column(property).name
    switch patch {
    case .unchanged: break
    case .set(let value): changes.updateValue(.some(value), forKey: name)
    case .cleared: changes.updateValue(.none, forKey: name)
    }
  }

  /// Nil when the column keeps its value.
  func change(of column: String) -> (any SQLValue)?? { changes[column] }
}

/// A statement that applies a patch to the rows that match a condition.
package struct PatchStatement<Row: Sendable, Parameters>: Sendable {
  package let statement: StatementText
  let parameters: [BoundParameter]
  let columns: [String]

  package var text: String { statement.text }
}

extension Table {
  /// A statement that updates those of `properties` that a patch changes.
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
  /// Applies a patch. `changedRows` is 0 afterwards if no row matched.
  package func run<Row, Parameters>(
    _ update: PatchStatement<Row, Parameters>,
    _ patch: RowPatch<Row>,
    _ parameters: Parameters
  ) throws(DatabaseError) {
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
