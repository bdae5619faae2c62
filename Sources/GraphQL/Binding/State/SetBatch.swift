/// The objects of which a selection set is asked: rows of its type's table, each once, whichever parents led to it.
struct SetBatch: ~Copyable {
  private(set) var rows = PlainBuffer<Int32>()
  /// By row of the table.
  private var isIn = PlainBuffer<Bool>()
  /// Whether any of them was led to twice.
  private var hasRepeated = false
  /// By row of the table, for the writer: see `ResponseView.Rows.written`.
  private var written = PlainBuffer<WrittenObject>()

  mutating func insert(_ row: Int) {
    isIn.extend(to: row &+ 1, with: false)
    guard !isIn[row] else {
      hasRepeated = true
      return
    }
    isIn[row] = true
    rows.append(Int32(truncatingIfNeeded: row))
  }

  mutating func removeAll() {
    rows.removeAll()
    isIn.removeAll()
    hasRepeated = false
    written.removeAll()
  }

  /// Good until an object is inserted; nil where every object stands in the answer once.
  mutating func makeRoomForWritten() -> UnsafeMutablePointer<WrittenObject>? {
    guard hasRepeated else { return nil }
    written.extend(to: isIn.count, with: .never)
    return written.base
  }
}
