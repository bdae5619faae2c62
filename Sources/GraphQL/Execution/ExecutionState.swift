import Bytes

/// Everything that one execution collects: its objects, what its fields gave, its text. Confined to its loop, and used
/// again by later requests, so that a request allocates little.
package final class ExecutionState {
  /// By type of the schema.
  var tables: [ObjectTable]
  /// By set of the plan: which objects it is asked of, each once.
  var batches: [SetBatch] = []
  /// By the slot of a field that gives objects.
  var runs: [TokenRuns] = []
  /// By the slot of a field that is made by a closure: a cell for each object of its batch.
  var leaves: [[Cell]] = []
  /// Leaves that fit no cell.
  var leafValues: [LeafValue] = []
  var failures: [FieldFailure] = []
  /// By field of the plan.
  var arguments: [Arguments] = []
  /// Keys whose objects the level still needs, by type.
  var wanted: [(type: Int, keys: [Int64])] = []
  /// The text of all cells.
  var arena = ByteBuffer(capacity: 4096)

  init(_ executable: ExecutableSchema) {
    tables = executable.columns.map { ObjectTable(width: $0.count) }
  }

  /// Makes ready for a plan: what an earlier one left is forgotten, the memory is kept.
  func prepare(for plan: OperationPlan) {
    while batches.count < plan.sets.count { batches.append(SetBatch()) }
    while runs.count < plan.runCount { runs.append(TokenRuns()) }
    while leaves.count < plan.leafCount { leaves.append([]) }
    for (place, set) in plan.sets.enumerated() {
      tables[set.type.index].removeAll()
      batches[place].removeAll()
    }
    for place in 0..<plan.runCount { runs[place].removeAll() }
    for place in 0..<plan.leafCount { leaves[place].removeAll(keepingCapacity: true) }
    leafValues.removeAll(keepingCapacity: true)
    failures.removeAll(keepingCapacity: true)
    wanted.removeAll(keepingCapacity: true)
    arena.removeAll()
  }

  /// Copies a text into the arena.
  @inline(__always)
  func text(_ bytes: UnsafeRawBufferPointer) -> Cell {
    let offset = arena.count
    arena.append(bytes)
    return CellCoding.text(offset: offset, length: bytes.count, needsEscape: JSONEscaping.isNeeded(in: bytes))
  }

  func text(_ string: String) -> Cell {
    var string = string
    return string.withUTF8 { text(UnsafeRawBufferPointer($0)) }
  }

  func string(_ cell: Cell) -> String? {
    guard !CellCoding.isNullOrError(cell) else { return nil }
    return arena.withUnsafeBytes { bytes in
      let start = CellCoding.textOffset(cell)
      return String(
        decoding: UnsafeRawBufferPointer(rebasing: bytes[start..<(start + CellCoding.textLength(cell))]), as: UTF8.self)
    }
  }

  func fail(_ failure: FieldFailure) -> Int {
    failures.append(failure)
    return failures.count - 1
  }

  /// Asks for an object to be loaded with this level's others of its type.
  func want(_ key: Int64, of type: Int) {
    for place in wanted.indices where wanted[place].type == type {
      wanted[place].keys.append(key)
      return
    }
    wanted.append((type, [key]))
  }
}

/// The objects of which a selection set is asked: rows of its type's table, each once, whichever parents led to it.
struct SetBatch {
  private(set) var rows: [Int32] = []
  /// By row of the table, the position in the batch; -1 where it is not in it.
  private var positions: [Int32] = []

  mutating func position(of row: Int) -> Int {
    while positions.count <= row { positions.append(-1) }
    if positions[row] >= 0 { return Int(positions[row]) }
    positions[row] = Int32(rows.count)
    rows.append(Int32(row))
    return rows.count - 1
  }

  mutating func removeAll() {
    rows.removeAll(keepingCapacity: true)
    positions.removeAll(keepingCapacity: true)
  }
}

/// Why a field has no value, as the client is told.
struct FieldFailure {
  let message: String
  let code: ErrorCode
}
