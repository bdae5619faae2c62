/// Puts the rows of one object type into a request.
package struct RowLoading {
  let state: ExecutionState
  /// The place of the type's table.
  let table: Int
  package let type: TypeID
  /// The columns that the plan reads; the others need not be filled.
  package let columns: UInt64

  init(state: ExecutionState, type: TypeID, columns: UInt64) {
    self.state = state
    self.type = type
    self.columns = columns
    table = type.index
  }

  /// The row of an object, and whether it is new and so has to be filled.
  package func row(of key: Int64) -> (row: Int, isNew: Bool) { state.tables[table].load(key: key) }

  /// A row for something that has no key of its own.
  package func addUnkeyed(_ key: Int64 = 0) -> Int { state.tables[table].add(unkeyed: key) }

  package func set(_ row: Int, column: Int, int value: Int64) {
    state.tables[table][row, column] = CellCoding.integer(value)
  }

  package func set(_ row: Int, column: Int, double value: Double) {
    state.tables[table][row, column] = CellCoding.double(value)
  }

  /// The bytes are copied. They must be UTF-8.
  package func set(_ row: Int, column: Int, text bytes: UnsafeRawBufferPointer) {
    state.tables[table][row, column] = state.text(bytes)
  }

  package func set(_ row: Int, column: Int, text: String) {
    state.tables[table][row, column] = state.text(text)
  }
}
