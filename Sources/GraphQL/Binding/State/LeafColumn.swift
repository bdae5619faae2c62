import Bytes

/// The cells of a computed leaf, indexed by row of the object table.
struct LeafColumn: ~Copyable {
  private var cells = PlainBuffer<Cell>()
  var count: Int { cells.count }

  /// Whether the leaf of the object has been resolved.
  func isMade(_ row: Int) -> Bool { row < cells.count && cells[row] != CellCoding.unmade }

  mutating func set(_ cell: Cell, row: Int) {
    cells.extend(to: row &+ 1, with: CellCoding.unmade)
    cells[row] = cell
  }

  mutating func removeAll() { cells.removeAll() }

  /// For the response writer. Invalid after the next call of `set`.
  var base: UnsafePointer<Cell> { UnsafePointer(cells.base) }
}
