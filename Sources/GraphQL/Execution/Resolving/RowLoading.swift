/// Puts the rows of one object type into a request.
@usableFromInline package struct RowLoading {
  @usableFromInline let state: ExecutionState
  @usableFromInline let table: ObjectTable
  package let type: TypeID
  /// The columns that the plan reads; the others need not be filled.
  package let columns: UInt64

  init(state: ExecutionState, type: TypeID, columns: UInt64) {
    self.state = state
    self.type = type
    self.columns = columns
    table = state.tables[type.index]
  }

  /// The row of an object, and whether it is new and so has to be filled.
  @inlinable package func row(of key: Int64) -> (row: Int, isNew: Bool) { table.load(key: key) }

  /// A row for something that has no key of its own.
  @inlinable package func addUnkeyed(_ key: Int64 = 0) -> Int { table.add(unkeyed: key) }

  @inlinable package func set(_ row: Int, _ column: Int, int value: Int64) {
    table[row, column] = CellCoding.integer(value)
  }

  @inlinable package func set(_ row: Int, _ column: Int, double value: Double) {
    table[row, column] = CellCoding.double(value)
  }

  /// The bytes are copied. They must be UTF-8.
  @inlinable package func set(_ row: Int, _ column: Int, text bytes: UnsafeRawBufferPointer) {
    table[row, column] = state.text(bytes)
  }

  package func set(_ row: Int, _ column: Int, text: String) { table[row, column] = state.text(text) }
}
