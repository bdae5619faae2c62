import Bytes

/// The objects of one type in a request, each once, with the columns that the plan reads.
///
/// Methods that add a row add the type to a list when the row is the first: the end of the request clears the tables of
/// the listed types, because visiting the tables of a large schema took an eighth of a short request.
struct ObjectTable: ~Copyable {
  private let type: Int
  /// The number of cells in a row.
  let width: Int
  var cells = PlainBuffer<Cell>()
  var keys = PlainBuffer<Int64>()
  private var states = PlainBuffer<Int32>()
  private var keyIndex = KeyIndex()
  /// The rows that are referenced and have not been passed to a loader yet.
  private(set) var wanted = PlainBuffer<Int32>()
  /// The Swift values of objects, indexed by row. Shorter than the table if the last rows have no value.
  private var values: [(any Sendable)?] = []

  /// The state of a row.
  private enum RowState {
    /// The row is referenced by key and not loaded yet, or the object does not exist.
    static let wanted: Int32 = -1
    static let loaded: Int32 = 0
    // Positive values: loading failed, and the value is the index of the failure plus one.
  }

  init(type: Int, width: Int) {
    self.type = type
    self.width = width
  }

  var count: Int { keys.count }

  // MARK: Objects by key

  /// Returns the row for a referenced key, and adds one if the key is new.
  mutating func reserve(key: Int64, listing used: inout PlainBuffer<Int>) -> (row: Int, isNew: Bool) {
    if let row = keyIndex.row(of: key, among: keys) { return (row, false) }
    let row = append(key: key, state: RowState.wanted, &used)
    keyIndex.insert(row, among: keys)
    wanted.append(Int32(truncatingIfNeeded: row))
    return (row, true)
  }

  /// Appends the keys of the wanted rows, except for those that have been loaded meanwhile.
  func appendWantedKeys(to list: inout [Int64]) {
    list.reserveCapacity(wanted.count)
    for index in wanted.indices {
      let row = Int(wanted[index])
      if !isLoaded(row) { list.append(keys[row]) }
    }
  }

  /// Records that the rows with these keys which are not loaded yet could not be loaded.
  mutating func failUnloaded(_ keys: [Int64], with failure: Int) {
    for key in keys {
      guard let row = keyIndex.row(of: key, among: self.keys), states[row] == RowState.wanted else { continue }
      states[row] = Int32(truncatingIfNeeded: failure + 1)
    }
  }

  mutating func clearWanted() { wanted.removeAll() }

  /// Returns the row of an object that is being loaded. If `isNew` is true, the row must be filled.
  mutating func load(key: Int64, listing used: inout PlainBuffer<Int>) -> (row: Int, isNew: Bool) {
    guard let row = keyIndex.row(of: key, among: keys) else {
      let row = append(key: key, state: RowState.loaded, &used)
      keyIndex.insert(row, among: keys)
      return (row, true)
    }
    if states[row] == RowState.loaded { return (row, false) }
    states[row] = RowState.loaded
    return (row, true)
  }

  /// Returns the row of an object that is referenced and not loaded yet, and must be filled now. Nil for any other key.
  mutating func loadWanted(key: Int64) -> Int? {
    guard let row = keyIndex.row(of: key, among: keys), states[row] == RowState.wanted else { return nil }
    states[row] = RowState.loaded
    return row
  }

  /// Adds an object that is not referenced by key, such as a page or an edge of a connection.
  mutating func add(unkeyed key: Int64, listing used: inout PlainBuffer<Int>) -> Int {
    append(key: key, state: RowState.loaded, &used)
  }

  mutating func add(value: any Sendable, listing used: inout PlainBuffer<Int>) -> Int {
    let row = append(key: 0, state: RowState.loaded, &used)
    while values.count < row { values.append(nil) }
    values.append(value)
    return row
  }

  private mutating func append(key: Int64, state: Int32, _ used: inout PlainBuffer<Int>) -> Int {
    let row = keys.count
    if row == 0 { used.append(type) }
    keys.append(key)
    states.append(state)
    cells.extend(to: cells.count &+ width, with: CellCoding.null)
    return row
  }

  // MARK: Rows

  /// Whether a referenced object exists, does not exist, or could not be loaded.
  enum Presence {
    case present, absent
    case failed(Int)
  }

  func presence(_ row: Int) -> Presence {
    let state = states[row]
    return state == RowState.loaded ? .present : state < 0 ? .absent : .failed(Int(state) - 1)
  }

  func isLoaded(_ row: Int) -> Bool { states[row] == RowState.loaded }

  func isLoaded(key: Int64) -> Bool { keyIndex.row(of: key, among: keys).map { isLoaded($0) } ?? false }

  subscript(row: Int, column: Int) -> Cell {
    @inline(__always) get {
      precondition(UInt(bitPattern: column) < UInt(bitPattern: width))
      return cells[row &* width &+ column]
    }
    @inline(__always) set {
      precondition(UInt(bitPattern: column) < UInt(bitPattern: width))
      cells[row &* width &+ column] = newValue
    }
  }

  func key(_ row: Int) -> Int64 { keys[row] }

  func value(_ row: Int) -> (any Sendable)? { row < values.count ? values[row] : nil }

  mutating func removeAll() {
    guard !keys.isEmpty else { return }
    cells.removeAll()
    keys.removeAll()
    states.removeAll()
    wanted.removeAll()
    if !values.isEmpty { values.removeAll(keepingCapacity: true) }
    keyIndex.removeAll()
  }

  /// For the response writer, which reads hundreds of cells. Invalid after a row is added.
  var cellBase: UnsafePointer<Cell> { UnsafePointer(cells.base) }
}
