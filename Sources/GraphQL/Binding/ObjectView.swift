import Bytes

/// One object, as passed to a resolver that computes a leaf. Valid only during the call.
package struct ObjectView {
  let state: ExecutionState
  let type: TypeID
  let row: Int
  package let arguments: Arguments
  package let context: any ExecutionContext

  package var key: Int64 { state.tables[type.index].key(row) }

  private func cell(_ column: Int) -> Cell { state.tables[type.index][row, column] }

  package func int(_ column: Int) -> Int64? {
    let cell = cell(column)
    return CellCoding.isNullOrError(cell) ? nil : cell
  }

  package func double(_ column: Int) -> Double? {
    let cell = cell(column)
    return CellCoding.isNullOrError(cell) ? nil : CellCoding.double(cell)
  }

  package func string(_ column: Int) -> String? { state.string(cell(column)) }

  /// The Swift value of the object, for a type whose objects are Swift values.
  package func value<Value>(as _: Value.Type = Value.self) -> Value? { state.tables[type.index].value(row) as? Value }
}
