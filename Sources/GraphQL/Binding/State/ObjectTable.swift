/// The objects of one type that a request has met: each once, by its key, with the columns that the plan asks for.
struct ObjectTable: ~Copyable {
  /// How many cells a row has.
  let width: Int
  var cells = PlainBuffer<Cell>()
  var keys = PlainBuffer<Int64>()
  private var states = PlainBuffer<Int32>()
  private var keyIndex = KeyIndex()
  /// The rows that are referred to and that nobody has tried to load yet.
  private(set) var wanted = PlainBuffer<Int32>()
  /// Values of computed types by row; shorter than the table where the last rows have none.
  private var values: [(any Sendable)?] = []

  /// What is known of a row.
  private enum RowState {
    /// Somebody refers to it by key; nobody has loaded it yet, or there is no such object.
    static let wanted: Int32 = -1
    static let loaded: Int32 = 0
    // Above: loading failed, and this is the failure's place, plus one.
  }

  init(width: Int) { self.width = width }

  var count: Int { keys.count }

  // MARK: Objects by key

  /// The row of an object that is referred to by key, and whether it is met for the first time.
  mutating func reserve(key: Int64) -> (row: Int, isNew: Bool) {
    if let row = keyIndex.row(of: key, among: keys) { return (row, false) }
    let row = append(key: key, state: RowState.wanted)
    keyIndex.insert(row, among: keys)
    wanted.append(Int32(truncatingIfNeeded: row))
    return (row, true)
  }

  /// The keys of the wanted rows, but for those that have been loaded in another way meanwhile.
  var wantedKeys: [Int64] {
    var wantedKeys: [Int64] = []
    wantedKeys.reserveCapacity(wanted.count)
    for index in wanted.indices {
      let row = Int(wanted[index])
      if !isLoaded(row) { wantedKeys.append(keys[row]) }
    }
    return wantedKeys
  }

  /// The wanted rows that are not loaded stay so because loading them failed.
  mutating func failWanted(with failure: Int) {
    for index in wanted.indices where states[Int(wanted[index])] == RowState.wanted {
      states[Int(wanted[index])] = Int32(truncatingIfNeeded: failure + 1)
    }
  }

  mutating func clearWanted() { wanted.removeAll() }

  /// The row of an object that is being loaded, and whether it has to be filled.
  mutating func load(key: Int64) -> (row: Int, isNew: Bool) {
    guard let row = keyIndex.row(of: key, among: keys) else {
      let row = append(key: key, state: RowState.loaded)
      keyIndex.insert(row, among: keys)
      return (row, true)
    }
    if states[row] == RowState.loaded { return (row, false) }
    states[row] = RowState.loaded
    return (row, true)
  }

  /// Adds an object that nothing refers to by key, such as a page or an edge of a connection.
  mutating func add(unkeyed key: Int64) -> Int { append(key: key, state: RowState.loaded) }

  mutating func add(value: any Sendable) -> Int {
    let row = append(key: 0, state: RowState.loaded)
    while values.count < row { values.append(nil) }
    values.append(value)
    return row
  }

  private mutating func append(key: Int64, state: Int32) -> Int {
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

  /// For the writer, which reads cells by the hundred: good until a row is added.
  var cellBase: UnsafePointer<Cell> { UnsafePointer(cells.base) }
}
