/// The cells of a leaf that a closure makes, by row of the objects' table.
struct LeafColumn: ~Copyable {
  private var cells = PlainBuffer<Cell>()

  /// Whether the object's leaf has been made.
  func isMade(_ row: Int) -> Bool { row < cells.count && cells[row] != CellCoding.unmade }

  mutating func set(_ cell: Cell, row: Int) {
    cells.extend(to: row &+ 1, with: CellCoding.unmade)
    cells[row] = cell
  }

  mutating func removeAll() { cells.removeAll() }

  /// For the writer: good until a cell is set.
  var base: UnsafePointer<Cell> { UnsafePointer(cells.base) }
}
