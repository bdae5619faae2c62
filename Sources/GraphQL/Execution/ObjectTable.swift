/// The objects of one type that a request has met: each once, by its key, with the columns that the plan asks for.
package struct ObjectTable {
  /// How many cells a row has.
  package let width: Int
  package private(set) var count = 0
  @usableFromInline var cells: [Cell] = []
  @usableFromInline var keys: [Int64] = []
  /// Values of computed types, one a row; empty for types of stored rows.
  var values: [any Sendable] = []
  private var index = KeyIndex()

  package init(width: Int) { self.width = width }

  /// The row that holds the object with this key.
  package func row(of key: Int64) -> Int? { index.row(of: key) }

  /// Adds an object that is not there yet; its cells are null.
  package mutating func add(key: Int64) -> Int {
    index.insert(key, row: count)
    return add(unkeyed: key)
  }

  /// Adds an object that nothing refers to by key, such as a page or an edge of a connection.
  package mutating func add(unkeyed key: Int64 = 0) -> Int {
    keys.append(key)
    for _ in 0..<width { cells.append(CellCoding.null) }
    count += 1
    return count - 1
  }

  mutating func add(value: any Sendable) -> Int {
    values.append(value)
    return add(unkeyed: 0)
  }

  @inlinable package subscript(row: Int, column: Int) -> Cell {
    get { cells[row &* width &+ column] }
    set { cells[row &* width &+ column] = newValue }
  }

  @inlinable package func key(_ row: Int) -> Int64 { keys[row] }

  mutating func removeAll() {
    count = 0
    cells.removeAll(keepingCapacity: true)
    keys.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
    index.removeAll()
  }
}

/// Rows by key. Most requests meet a handful of objects of a type, which a scan finds sooner than a hash; past that the
/// keys go into an open table.
struct KeyIndex {
  private static let scanned = 8
  private var keys: [Int64] = []
  private var rows: [Int32] = []
  private var slots: [Int32] = []

  func row(of key: Int64) -> Int? {
    if slots.isEmpty {
      for (place, known) in keys.enumerated() where known == key { return Int(rows[place]) }
      return nil
    }
    var slot = Self.slot(of: key, in: slots.count)
    while slots[slot] >= 0 {
      let place = Int(slots[slot])
      if keys[place] == key { return Int(rows[place]) }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  mutating func insert(_ key: Int64, row: Int) {
    keys.append(key)
    rows.append(Int32(row))
    if slots.isEmpty && keys.count <= Self.scanned { return }
    if keys.count * 2 > slots.count {
      rebuild()
    } else {
      place(keys.count - 1)
    }
  }

  mutating func removeAll() {
    keys.removeAll(keepingCapacity: true)
    rows.removeAll(keepingCapacity: true)
    slots.removeAll(keepingCapacity: true)
  }

  private mutating func rebuild() {
    let size = max(32, slots.count * 2)
    slots.removeAll(keepingCapacity: true)
    slots.append(contentsOf: repeatElement(-1, count: size))
    for entry in keys.indices { place(entry) }
  }

  private mutating func place(_ entry: Int) {
    var slot = Self.slot(of: keys[entry], in: slots.count)
    while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = Int32(entry)
  }

  private static func slot(of key: Int64, in size: Int) -> Int {
    let mixed = UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed >> 32) & (size - 1)
  }
}
