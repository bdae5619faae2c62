/// One object, as the closure that makes a leaf of it sees it. Good only within that closure.
package struct ObjectView {
  let state: ExecutionState
  let type: Int
  let row: Int
  package let arguments: Arguments
  package let context: any ExecutionContext

  package var key: Int64 { state.tables[type].key(row) }

  package func int(_ column: Int) -> Int64? {
    let cell = state.tables[type][row, column]
    return CellCoding.isNullOrError(cell) ? nil : cell
  }

  package func string(_ column: Int) -> String? { state.string(state.tables[type][row, column]) }

  /// The Swift value of an object of a computed type.
  package func value<Value>(as _: Value.Type = Value.self) -> Value? {
    let values = state.tables[type].values
    return values.indices.contains(row) ? values[row] as? Value : nil
  }
}
