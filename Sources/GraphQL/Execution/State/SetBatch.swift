/// The objects of which a selection set is asked: rows of its type's table, each once, whichever parents led to it.
final class SetBatch {
  // Exclusivity is not checked at run time: both are only reached through this class's own functions.
  @exclusivity(unchecked) private(set) var rows = PlainBuffer<Int32>()
  /// By row of the table.
  @exclusivity(unchecked) private var isIn = PlainBuffer<Bool>()

  func insert(_ row: Int) {
    isIn.extend(to: row &+ 1, with: false)
    guard !isIn[row] else { return }
    isIn[row] = true
    rows.append(Int32(truncatingIfNeeded: row))
  }

  func removeAll() {
    rows.removeAll()
    isIn.removeAll()
  }
}
