/// The names of the statements that a connection has prepared, and the columns of their results.
struct PreparedStatements: ~Copyable {
  /// By `ServerStatement.index(ofSlot:)`. A name belongs to this structure once it is set.
  private var names: [UnsafeMutablePointer<CChar>?] = []
  private var columns: [ResultColumns?] = []

  deinit { for case let name? in names { name.deallocate() } }

  /// The name of a statement, which is valid until it is removed; nil for one that is not prepared.
  func name(of statement: ServerStatement) -> UnsafeMutablePointer<CChar>? {
    guard let slot = statement.slot else { return nil }
    let index = ServerStatement.index(ofSlot: slot)
    return index < names.count ? names[index] : nil
  }

  /// Adds a statement unless it is there. Returns the name with which it must be prepared.
  mutating func add(slot: Int) -> UnsafeMutablePointer<CChar>? {
    let index = ServerStatement.index(ofSlot: slot)
    if names.count <= index {
      let count = index + 1 - names.count
      names += Array(repeating: nil, count: count)
      columns += Array(repeating: nil, count: count)
    }
    guard names[index] == nil else { return nil }
    let utf8 = ServerStatement.name(ofSlot: slot).utf8CString
    let name = UnsafeMutablePointer<CChar>.allocate(capacity: utf8.count)
    utf8.withUnsafeBufferPointer { if let start = $0.baseAddress { name.initialize(from: start, count: $0.count) } }
    names[index] = name
    return name
  }

  mutating func remove(slot: Int) {
    let index = ServerStatement.index(ofSlot: slot)
    names[index]?.deallocate()
    names[index] = nil
    columns[index] = nil
  }

  /// Takes over a result. The server does not change the columns of a prepared statement, so that all its results share
  /// their description.
  mutating func rows(_ result: OpaquePointer, of slot: Int?, library: Library) -> ResultRows {
    guard let slot else { return ResultRows(result, columns: nil, library: library) }
    let index = ServerStatement.index(ofSlot: slot)
    let rows = ResultRows(result, columns: columns[index], library: library)
    if columns[index] !== rows.columns { columns[index] = rows.columns }
    return rows
  }
}
