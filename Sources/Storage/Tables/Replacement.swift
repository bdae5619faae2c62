/// What a copy of a row has in a column in place of the original's value.
package struct Replacement<Row: Sendable, Parameters> {
  let property: PartialKeyPath<Row>
  let value: SQLFragment<Parameters>

  package static func replacing(_ property: PartialKeyPath<Row>, with value: SQLFragment<Parameters>) -> Replacement {
    Replacement(property: property, value: value)
  }
}
