import Bytes

/// One object, as the closure that makes a leaf of it sees it. Good only within that closure.
package struct ObjectView {
  let state: ExecutionState
  let table: ObjectTable
  let row: Int
  package let arguments: Arguments
  package let context: any ExecutionContext

  package var key: Int64 { table.key(row) }

  package func int(_ column: Int) -> Int64? {
    let cell = table[row, column]
    return CellCoding.isNullOrError(cell) ? nil : cell
  }

  package func double(_ column: Int) -> Double? {
    let cell = table[row, column]
    return CellCoding.isNullOrError(cell) ? nil : CellCoding.double(cell)
  }

  package func string(_ column: Int) -> String? { state.string(table[row, column]) }

  /// The bytes of a text, for `body` to look at: it may not put text into the request, nor keep them.
  package func withBytes<Result>(_ column: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
    let cell = table[row, column]
    guard !CellCoding.isNullOrError(cell) else { return nil }
    let start = CellCoding.textOffset(cell)
    return state.arena.withUnsafeBytes { arena in
      body(UnsafeRawBufferPointer(rebasing: arena[start..<(start + CellCoding.textLength(cell))]))
    }
  }

  /// The Swift value of an object of a computed type.
  package func value<Value>(as _: Value.Type = Value.self) -> Value? { table.value(row) as? Value }
}
