import Bytes

/// The data that one execution collects: its objects, the results of its field calls, and its text. Confined to its
/// event loop, and reused by later requests to reduce allocations.
package final class ExecutionState {
  /// The columns that the plan reads, as a bit mask for each type of the schema.
  var columns: [UInt64] = []
  // Exclusivity is not checked at run time for these properties: no code calls out while it changes one.
  /// Indexed by type of the schema.
  @exclusivity(unchecked) var tables: SlotArray<ObjectTable>
  /// The types whose tables have rows.
  @exclusivity(unchecked) var usedTypes = PlainBuffer<Int>()
  /// The objects of each selection set, indexed by the plan's sets.
  @exclusivity(unchecked) var batches = SlotArray<SetBatch>()
  /// The selection sets with objects. A plan can have many others: a field of an abstract type can have a set for each
  /// possible type.
  @exclusivity(unchecked) private(set) var usedSets = PlainBuffer<Int>()
  /// The results of calls that return objects, indexed by the slot of the call.
  @exclusivity(unchecked) var runs = SlotArray<TokenRuns>()
  /// The results of calls that return leaves, indexed by the slot of the call.
  @exclusivity(unchecked) var leaves = SlotArray<LeafColumn>()
  /// Leaf values that do not fit in a cell.
  var leafValues: [LeafValue] = []
  private(set) var failures: [FieldFailure] = []
  /// The arguments that depend on variables, coerced on first use.
  var arguments: [Result<Arguments, ArgumentError>?] = []
  /// The types with rows that are referenced and not loaded yet.
  private var wantedTypes = PlainBuffer<Int>()
  /// The memory of the last list of wanted keys.
  private var spareKeys: [Int64] = []
  /// The text of all cells. Exclusivity is not checked at run time: the arena is only accessed by methods of this class
  /// that do not call out while they append.
  @exclusivity(unchecked) private(set) var arena = ByteBuffer(capacity: 4096)
  /// Whether a text exceeded `maximumText`.
  private(set) var isOverfull = false

  /// A cell could address 2 GB, but no response may be that large.
  private static let maximumText = 64 << 20

  init(_ executable: ExecutableSchema) {
    tables = SlotArray(capacity: max(executable.columns.count, 1))
    for (type, columns) in executable.columns.enumerated() {
      tables.append(ObjectTable(type: type, width: columns.count))
    }
  }

  /// Reserves space for a plan of this size. The previous request must have been cleared by `removeAll`.
  func prepare(for size: PlanSize) {
    while batches.count < size.sets { batches.append(SetBatch()) }
    while runs.count < size.loads { runs.append(TokenRuns()) }
    while leaves.count < size.leaves { leaves.append(LeafColumn()) }
    while arguments.count < size.dynamicArguments { arguments.append(nil) }
  }

  /// Removes all data and keeps the memory. Called at the end of a request, so that no data outlives it.
  func removeAll(of size: PlanSize) {
    var kept = 0
    var rows = 0
    for index in usedTypes.indices {
      let type = usedTypes[index]
      rows += tables[type].count
      kept += tables[type].count * (tables[type].width + 2)
      tables[type].removeAll()
    }
    usedTypes.removeAll()
    removeBatches()
    for index in 0..<size.loads {
      kept += runs[index].tokens.count
      runs[index].removeAll()
    }
    // A leaf has at most one cell for each row. Few cells are not worth counting.
    if rows &* size.leaves > Self.negligibleCells {
      for index in 0..<size.leaves { kept += leaves[index].count }
    }
    for index in 0..<size.leaves { leaves[index].removeAll() }
    if !leafValues.isEmpty {
      kept += leafValues.count * (MemoryLayout<LeafValue>.stride / 8)
      leafValues.removeAll(keepingCapacity: true)
    }
    if !failures.isEmpty {
      kept += failures.count * (MemoryLayout<FieldFailure>.stride / 8)
      failures.removeAll(keepingCapacity: true)
    }
    for index in 0..<size.dynamicArguments { arguments[index] = nil }
    wantedTypes.removeAll()
    let slots = batches.count + runs.count + leaves.count
    // A mutation removes the data of each of its root fields.
    hasGrown = hasGrown || kept > Self.usualWords || arena.count > Self.usualText || slots > Self.usualSlots
    let used = kept * 8 + rows * Self.bytesOfRow + slots * Self.bytesOfSlot + arena.count
    isLarge = isLarge || used > Self.smallBytes
    arena.removeAll()
    isOverfull = false
  }

  /// Adds a row of a type's table to the objects of a selection set. Returns whether it is the first one.
  @discardableResult
  func insert(_ row: Int, of type: Int, into set: Int) -> Bool {
    let isFirst = batches[set].rows.isEmpty
    if isFirst { usedSets.append(set) }
    batches[set].makeRoom(for: tables[type].count)
    batches[set].insert(row)
    return isFirst
  }

  /// Lists a selection set that had no objects, if it has some now. Returns whether it has.
  func list(_ set: Int) -> Bool {
    if batches[set].rows.isEmpty { return false }
    usedSets.append(set)
    return true
  }

  func removeBatches() {
    for index in usedSets.indices { batches[usedSets[index]].removeAll() }
    usedSets.removeAll()
  }

  /// Whether a request used an unusual amount of memory. Such a state is not kept for the next request.
  private(set) var hasGrown = false
  /// Whether any request used more than most do. Few such states are kept.
  private(set) var isLarge = false
  private static let smallBytes = 1 << 16
  private static let negligibleCells = 1 << 10
  /// What a row has besides its cells and its key: its place in the index, and in the batch of a selection set.
  private static let bytesOfRow = 40
  /// A selection set or a call, without its rows.
  private static let bytesOfSlot = 96
  private static let usualWords = 50_000
  private static let usualText = 1 << 18
  private static let usualSlots = 1 << 12

  // MARK: Text

  /// Copies a text to the arena.
  ///
  /// - Parameter isPlain: Whether JSON need not escape any of its characters. If false, they are searched for those.
  @inline(__always)
  func text(_ bytes: UnsafeRawBufferPointer, isPlain: Bool = false) -> Cell {
    let offset = arena.count
    let end = offset &+ bytes.count
    guard end <= Self.maximumText else {
      isOverfull = true
      return CellCoding.null
    }
    if let source = bytes.baseAddress {
      arena.appendUnsafe(capacity: bytes.count) { room in
        room.copyShort(from: source, count: bytes.count)
        return bytes.count
      }
    }
    return CellCoding.text(
      offset: offset,
      length: bytes.count,
      needsEscape: !isPlain && JSONEscaping.isNeeded(in: bytes)
    )
  }

  func text(_ string: String) -> Cell {
    var string = string
    return string.withUTF8 { text(UnsafeRawBufferPointer($0)) }
  }

  func string(_ cell: Cell) -> String? { withBytes(of: cell) { String(decoding: $0, as: UTF8.self) } }

  /// Calls `body` with the bytes of a text. `body` must neither add text to the request nor keep the bytes.
  func withBytes<Result>(of cell: Cell, _ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
    bytes(of: cell).map(body)
  }

  /// The bytes of a text, which are valid until text is added to the request or removed from it.
  func bytes(of cell: Cell) -> UnsafeRawBufferPointer? {
    guard !CellCoding.isNullOrError(cell) else { return nil }
    let start = CellCoding.textOffset(cell)
    return arena.withUnsafeBytes { arena in
      UnsafeRawBufferPointer(rebasing: arena[start..<(start + CellCoding.textLength(cell))])
    }
  }

  // MARK: Failures

  /// Records a failure and returns its index. Failures beyond the limit share the index of the last one recorded.
  func fail(_ failure: FieldFailure) -> Int {
    if failures.count < CellCoding.maximumErrors { failures.append(failure) }
    return failures.count - 1
  }

  // MARK: Objects by key

  /// The token for the object of a type with this key. The object is loaded together with all others of its type on
  /// this level.
  @inline(__always)
  func reference(_ key: Int64, of type: Int) -> RunToken {
    let (row, isNew) = tables[type].reserve(key: key, listing: &usedTypes)
    if isNew && tables[type].wanted.count == 1 { wantedTypes.append(type) }
    return .object(type: type, row: row)
  }

  /// The keys of a type's objects that are referenced and not loaded.
  func takeWantedKeys(of type: Int) -> [Int64] {
    var keys: [Int64] = []
    swap(&keys, &spareKeys)
    tables[type].appendWantedKeys(to: &keys)
    return keys
  }

  /// Keeps the memory of a list of keys for the next one, which saves an allocation for each type on a level.
  func keep(_ keys: consuming [Int64]) {
    guard keys.count <= Self.usualKeys else { return }
    keys.removeAll(keepingCapacity: true)
    spareKeys = keys
  }
  private static let usualKeys = 256

  /// Takes the next type with rows that are referenced and not loaded.
  func takeWantedType() -> Int? {
    guard !wantedTypes.isEmpty else { return nil }
    defer { wantedTypes.removeLast() }
    return wantedTypes[wantedTypes.count - 1]
  }
}
