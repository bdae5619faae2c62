/// Puts the rows of one object type into a request.
package struct RowLoading {
  let state: ExecutionState
  package let type: TypeID
  /// The columns that the plan reads; the others need not be filled.
  package let columns: UInt64

  /// The row of an object, and whether it is new and so has to be filled.
  @inline(__always)
  package func row(of key: Int64) -> (row: Int, isNew: Bool) {
    if let row = state.tables[type.index].row(of: key) { return (row, false) }
    return (state.tables[type.index].add(key: key), true)
  }

  /// A row for something that has no key of its own.
  package func addUnkeyed(_ key: Int64 = 0) -> Int { state.tables[type.index].add(unkeyed: key) }

  @inline(__always)
  package func set(_ row: Int, _ column: Int, int value: Int64) { state.tables[type.index][row, column] = value }

  package func set(_ row: Int, _ column: Int, double value: Double) {
    state.tables[type.index][row, column] = CellCoding.double(value)
  }

  /// The bytes are copied.
  @inline(__always)
  package func set(_ row: Int, _ column: Int, text bytes: UnsafeRawBufferPointer) {
    state.tables[type.index][row, column] = state.text(bytes)
  }

  package func set(_ row: Int, _ column: Int, text: String) {
    state.tables[type.index][row, column] = state.text(text)
  }
}
