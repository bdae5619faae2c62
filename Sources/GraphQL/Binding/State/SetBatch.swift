import Bytes

/// The objects to which a selection set applies: rows of the type's table, each once, whatever parents reference it. Of
/// the set that selects nothing, rows of several tables, which are written alike.
struct SetBatch: ~Copyable {
  private(set) var rows = PlainBuffer<Int32>()
  /// Whether a row is in the batch, indexed by row of the table.
  private var isIn = PlainBuffer<Bool>()
  /// Whether any object was inserted twice.
  private var hasRepeated = false
  /// Indexed by row of the table, for the response writer: see `ResponseView.Rows.written`.
  private var written = PlainBuffer<WrittenObject>()

  /// Makes room for all rows of the table.
  mutating func makeRoom(for count: Int) { isIn.extend(to: count, with: false) }

  /// Inserts a row for which there is room.
  mutating func insert(_ row: Int) {
    guard !isIn[row] else {
      hasRepeated = true
      return
    }
    isIn[row] = true
    rows.append(Int32(truncatingIfNeeded: row))
  }

  mutating func removeAll() {
    if rows.isEmpty { return }
    rows.removeAll()
    isIn.removeAll()
    hasRepeated = false
    written.removeAll()
  }

  /// Storage for the positions of written objects. Nil if every object occurs once in the response. Invalid after an
  /// object is inserted.
  mutating func makeRoomForWritten() -> UnsafeMutablePointer<WrittenObject>? {
    guard hasRepeated else { return nil }
    written.extend(to: isIn.count, with: .never)
    return written.base
  }
}
