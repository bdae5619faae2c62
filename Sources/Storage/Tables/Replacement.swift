/// The value of a column in a statement that makes rows of others: what a copy has in place of the original's value, or
/// what `Table.insert(_:from:)` selects.
package struct Replacement<Row: Sendable, Parameters> {
  let property: PartialKeyPath<Row>
  let value: SQLFragment<Parameters>

  package static func replacing(_ property: PartialKeyPath<Row>, with value: SQLFragment<Parameters>) -> Replacement {
    Replacement(property: property, value: value)
  }

  package static func setting(_ property: PartialKeyPath<Row>, to value: SQLFragment<Parameters>) -> Replacement {
    Replacement(property: property, value: value)
  }
}
