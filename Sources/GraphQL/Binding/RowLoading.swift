/// Adds rows of one object type to a request.
package struct RowLoading {
  let state: ExecutionState
  /// The index of the type's table.
  let table: Int
  package let type: TypeID
  /// The columns that the plan reads, as a bit mask. A loader can skip the others.
  package var columns: UInt64 { state.columns[table] }

  init(state: ExecutionState, type: TypeID) {
    self.state = state
    self.type = type
    table = type.index
  }

  /// The row of an object. If `isNew` is true, the caller must fill the row.
  package func row(of key: Int64) -> (row: Int, isNew: Bool) {
    state.tables[table].load(key: key, listing: &state.usedTypes)
  }

  /// The row of an object that is referenced and not loaded yet, which the caller must fill. The object counts as
  /// loaded from then on. Nil for any other key.
  package func takeWantedRow(of key: Int64) -> Int? { state.tables[table].loadWanted(key: key) }

  /// Whether the row of an object is filled.
  package func isLoaded(_ key: Int64) -> Bool { state.tables[table].isLoaded(key: key) }

  /// Adds a row for an object that is not referenced by key.
  package func addUnkeyed(_ key: Int64 = 0) -> Int {
    state.tables[table].add(unkeyed: key, listing: &state.usedTypes)
  }

  package func set(_ row: Int, column: Int, int value: Int64) {
    state.tables[table][row, column] = CellCoding.integer(value)
  }

  package func set(_ row: Int, column: Int, double value: Double) {
    state.tables[table][row, column] = CellCoding.double(value)
  }

  /// Copies the bytes, which must be UTF-8.
  ///
  /// - Parameter isPlain: Whether a JSON string can contain the bytes as they are: without quotation marks, backslashes
  ///   and control characters. If false, the bytes are searched for those.
  package func set(_ row: Int, column: Int, text bytes: UnsafeRawBufferPointer, isPlain: Bool = false) {
    state.tables[table][row, column] = state.text(bytes, isPlain: isPlain)
  }

  package func set(_ row: Int, column: Int, text: String) {
    state.tables[table][row, column] = state.text(text)
  }
}
