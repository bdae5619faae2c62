/// The objects of which a selection set is asked: rows of its type's table, each once, whichever parents led to it.
struct SetBatch: ~Copyable {
  private(set) var rows = PlainBuffer<Int32>()
  /// By row of the table.
  private var isIn = PlainBuffer<Bool>()

  mutating func insert(_ row: Int) {
    isIn.extend(to: row &+ 1, with: false)
    guard !isIn[row] else { return }
    isIn[row] = true
    rows.append(Int32(truncatingIfNeeded: row))
  }

  mutating func removeAll() {
    rows.removeAll()
    isIn.removeAll()
  }
}
