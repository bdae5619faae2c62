/// The objects of one type that a request has met: each once, by its key, with the columns that the plan asks for.
@usableFromInline package final class ObjectTable {
  /// How many cells a row has.
  @usableFromInline let width: Int
  // Exclusivity is not checked at run time for these: each is reached through this class's own functions alone, and
  // none of them calls out while it writes.
  @exclusivity(unchecked) @usableFromInline var cells: PlainBuffer<Cell>
  @exclusivity(unchecked) @usableFromInline var keys = PlainBuffer<Int64>()
  @exclusivity(unchecked) private var states = PlainBuffer<Int32>()
  @exclusivity(unchecked) private var index = KeyIndex()
  /// Values of computed types by row; shorter than the table where the last rows have none.
  private var values: [(any Sendable)?] = []

  /// What is known of a row.
  private enum RowState {
    /// Somebody refers to it by key; nobody has loaded it yet, or there is no such object.
    static let wanted: Int32 = -1
    static let loaded: Int32 = 0
    // Above: loading failed, and this is the failure's place, plus one.
  }

  init(width: Int) {
    self.width = width
    cells = PlainBuffer(capacity: max(16, width * 8))
  }

  @usableFromInline var count: Int { keys.count }

  // MARK: Objects by key

  /// The row of an object that is referred to by key, and whether it is met for the first time.
  func reserve(key: Int64) -> (row: Int, isNew: Bool) {
    if let row = index.row(of: key, among: keys) { return (row, false) }
    let row = append(key, RowState.wanted)
    index.insert(row, among: keys)
    return (row, true)
  }

  /// The row of an object that is being loaded, and whether it has to be filled.
  @usableFromInline func load(key: Int64) -> (row: Int, isNew: Bool) {
    guard let row = index.row(of: key, among: keys) else {
      let row = append(key, RowState.loaded)
      index.insert(row, among: keys)
      return (row, true)
    }
    if states[row] == RowState.loaded { return (row, false) }
    states[row] = RowState.loaded
    return (row, true)
  }

  /// Adds an object that nothing refers to by key, such as a page or an edge of a connection.
  @usableFromInline func add(unkeyed key: Int64) -> Int { append(key, RowState.loaded) }

  func add(value: any Sendable) -> Int {
    let row = append(0, RowState.loaded)
    while values.count < row { values.append(nil) }
    values.append(value)
    return row
  }

  private func append(_ key: Int64, _ state: Int32) -> Int {
    let row = keys.count
    keys.append(key)
    states.append(state)
    cells.extend(to: cells.count &+ width, with: CellCoding.null)
    return row
  }

  // MARK: Rows

  /// What is known of an object that is referred to: it is there, it is not, or it could not be loaded.
  enum Presence {
    case present, absent
    case failed(Int)
  }

  func presence(_ row: Int) -> Presence {
    let state = states[row]
    return state == RowState.loaded ? .present : state < 0 ? .absent : .failed(Int(state) - 1)
  }

  func isLoaded(_ row: Int) -> Bool { states[row] == RowState.loaded }

  /// Rows that stayed unloaded because loading them failed.
  func fail(_ row: Int, with failure: Int) {
    if states[row] == RowState.wanted { states[row] = Int32(truncatingIfNeeded: failure + 1) }
  }

  @inlinable subscript(row: Int, column: Int) -> Cell {
    @inline(__always) get {
      precondition(UInt(bitPattern: column) < UInt(bitPattern: width))
      return cells[row &* width &+ column]
    }
    @inline(__always) set {
      precondition(UInt(bitPattern: column) < UInt(bitPattern: width))
      cells[row &* width &+ column] = newValue
    }
  }

  @inlinable func key(_ row: Int) -> Int64 { keys[row] }

  func value(_ row: Int) -> (any Sendable)? { row < values.count ? values[row] : nil }

  func removeAll() {
    guard !keys.isEmpty else { return }
    cells.removeAll()
    keys.removeAll()
    states.removeAll()
    values.removeAll(keepingCapacity: true)
    index.removeAll()
  }

  /// For the writer, which reads cells by the hundred: good until a row is added.
  var cellBase: UnsafePointer<Cell> { UnsafePointer(cells.base) }
}
