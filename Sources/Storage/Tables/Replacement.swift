/// The value of a column in a statement that creates rows from others: it replaces the original's value in a copy, or
/// is selected by `Table.insert(_:from:)`.
package struct Replacement<Row: Sendable, Parameters> {
  package let property: PartialKeyPath<Row>
  let value: SQLFragment<Parameters>

  package static func replacing(_ property: PartialKeyPath<Row>, with value: SQLFragment<Parameters>) -> Replacement {
    Replacement(property: property, value: value)
  }

  package static func setting(_ property: PartialKeyPath<Row>, to value: SQLFragment<Parameters>) -> Replacement {
    Replacement(property: property, value: value)
  }
}
