import Bytes

/// Everything that one execution collects: its objects, what its fields gave, its text. Confined to its loop, and used
/// again by later requests, so that a request allocates little.
package final class ExecutionState {
  // Exclusivity is not checked at run time for these: nobody calls out while changing one.
  /// By type of the schema.
  @exclusivity(unchecked) var tables = SlotArray<ObjectTable>()
  /// By set of the plan: which objects it is asked of.
  @exclusivity(unchecked) var batches = SlotArray<SetBatch>()
  /// By the slot of a call that gives objects.
  @exclusivity(unchecked) var runs = SlotArray<TokenRuns>()
  /// By the slot of a call that gives leaves.
  @exclusivity(unchecked) var leaves = SlotArray<LeafColumn>()
  /// Leaves that fit no cell.
  var leafValues: [LeafValue] = []
  private(set) var failures: [FieldFailure] = []
  /// The arguments that hang on variables, as far as they have been coerced.
  var arguments: [Result<Arguments, ArgumentError>?] = []
  /// The types of which rows are referred to and not loaded yet.
  private var wantedTypes = PlainBuffer<Int>()
  /// The text of all cells. Exclusivity is not checked at run time: it is only reached through this class's functions,
  /// none of which calls out while it appends.
  @exclusivity(unchecked) private(set) var arena = ByteBuffer(capacity: 4096)
  /// Whether a text did not fit any more.
  private(set) var isOverfull = false

  /// A cell could address 2 GB; nobody is answered with so much.
  private static let maximumText = 64 << 20

  /// The types whose tables can have rows, which are half of a schema's: each costs a request ten instructions.
  private let typesWithRows: [Int]

  init(_ executable: ExecutableSchema) {
    let types = executable.schema.types
    typesWithRows = types.indices.filter { types[$0].isComposite && !types[$0].name.hasPrefix("__") }
    for columns in executable.columns { tables.append(ObjectTable(width: columns.count)) }
  }

  /// Makes room for a plan of this size. The previous request must have been cleared by `removeAll`.
  func prepare(for size: PlanSize) {
    while batches.count < size.sets { batches.append(SetBatch()) }
    while runs.count < size.loads { runs.append(TokenRuns()) }
    while leaves.count < size.leaves { leaves.append(LeafColumn()) }
    while arguments.count < size.dynamicArguments { arguments.append(nil) }
  }

  /// Clears everything and keeps the memory. Called when a request ends, so that none of its data outlives it.
  func removeAll(of size: PlanSize) {
    var kept = 0
    for type in typesWithRows where tables[type].count > 0 {
      kept += tables[type].count * (tables[type].width + 2)
      tables[type].removeAll()
    }
    for index in 0..<size.sets { batches[index].removeAll() }
    for index in 0..<size.loads {
      kept += runs[index].tokens.count
      runs[index].removeAll()
    }
    for index in 0..<size.leaves { leaves[index].removeAll() }
    if !leafValues.isEmpty { leafValues.removeAll(keepingCapacity: true) }
    if !failures.isEmpty { failures.removeAll(keepingCapacity: true) }
    arguments.removeAll(keepingCapacity: true)
    wantedTypes.removeAll()
    hasGrown = kept > Self.usualWords || arena.count > Self.usualText
    arena.removeAll()
    isOverfull = false
  }

  /// Whether what was forgotten last took unusually much: such a state is not kept for the next request.
  private(set) var hasGrown = false
  private static let usualWords = 50_000
  private static let usualText = 1 << 18

  // MARK: Text

  /// Copies a text into the arena.
  func text(_ bytes: UnsafeRawBufferPointer) -> Cell {
    let offset = arena.count
    guard offset &+ bytes.count <= Self.maximumText else {
      isOverfull = true
      return CellCoding.null
    }
    arena.append(bytes)
    return CellCoding.text(offset: offset, length: bytes.count, needsEscape: JSONEscaping.isNeeded(in: bytes))
  }

  func text(_ string: String) -> Cell {
    var string = string
    return string.withUTF8 { text(UnsafeRawBufferPointer($0)) }
  }

  func string(_ cell: Cell) -> String? { withBytes(of: cell) { String(decoding: $0, as: UTF8.self) } }

  /// The bytes of a text, for `body` to look at: it may not put text into the request, nor keep them.
  func withBytes<Result>(of cell: Cell, _ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
    guard !CellCoding.isNullOrError(cell) else { return nil }
    let start = CellCoding.textOffset(cell)
    return arena.withUnsafeBytes { arena in
      body(UnsafeRawBufferPointer(rebasing: arena[start..<(start + CellCoding.textLength(cell))]))
    }
  }

  // MARK: Failures

  /// Keeps a failure and gives its place. What fails past the limit is told as the last that was kept.
  func fail(_ failure: FieldFailure) -> Int {
    if failures.count < CellCoding.maximumErrors { failures.append(failure) }
    return failures.count - 1
  }

  // MARK: Objects by key

  /// The token for the object of a type that has this key. It is loaded with this level's others of its type.
  func reference(_ key: Int64, of type: Int) -> RunToken {
    let (row, isNew) = tables[type].reserve(key: key)
    if isNew && tables[type].wanted.count == 1 { wantedTypes.append(type) }
    return .object(type: type, row: row)
  }

  /// A type whose rows were not all loaded is to be taken again.
  func putBackWantedType(_ type: Int) { wantedTypes.append(type) }

  /// Takes the types of which rows are referred to and not loaded, one after the other.
  func takeWantedType() -> Int? {
    guard !wantedTypes.isEmpty else { return nil }
    defer { wantedTypes.removeLast() }
    return wantedTypes[wantedTypes.count - 1]
  }
}
