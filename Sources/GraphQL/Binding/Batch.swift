/// All the objects for which a field is to be resolved at once, its parents, and where what it gives is put.
///
/// Parents are told apart by slots, from 0 to `count`. They may be answered in any order, though in the order of their
/// slots it is quickest. A parent that is passed over has an empty list, or null where the field is no list.
package struct Batch: ~Copyable {
  private let context: any ExecutionContext
  let state: ExecutionState
  private let call: FieldCall
  /// The slot of the call.
  let load: Int
  let parentType: Int
  package let arguments: Arguments
  /// How many parents there are: never none.
  package let count: Int
  private let isList: Bool
  /// For each type of the schema, the columns that the plan reads.
  private let columns: [UInt64]
  /// The parent whose list is being written, and where its list's token stands.
  private var open = -1
  private var listPlace = 0
  private var listCount = 0
  /// What came for a parent after others had come in between.
  private var late: [(slot: Int, token: RunToken)] = []

  /// The parents that are pending for a call.
  init(
    of call: FieldCall,
    slot load: Int,
    arguments: Arguments,
    columns: [UInt64],
    state: ExecutionState,
    context: any ExecutionContext
  ) {
    self.call = call
    self.load = load
    self.arguments = arguments
    self.columns = columns
    self.state = state
    self.context = context
    parentType = call.parentType.index
    count = state.runs[load].pending.count
    isList = call.type.isList
  }

  // MARK: The parents

  package func row(_ slot: Int) -> Int { Int(state.runs[load].pending[slot]) }
  package func key(_ slot: Int) -> Int64 { state.tables[parentType].key(row(slot)) }
  package var keys: [Int64] {
    var keys: [Int64] = []
    keys.reserveCapacity(count)
    for slot in 0..<count { keys.append(key(slot)) }
    return keys
  }

  /// A number of the parent's row; nil where it is null.
  package func int(_ slot: Int, _ column: Int) -> Int64? {
    let cell = state.tables[parentType][row(slot), column]
    return CellCoding.isNullOrError(cell) ? nil : cell
  }

  package func view(_ slot: Int, _ context: any ExecutionContext) -> ObjectView {
    ObjectView(state: state, type: call.parentType, row: row(slot), arguments: arguments, context: context)
  }

  /// The bytes of a text of the parent's row, for `body` to add objects by: it may not put text into the request, nor
  /// keep them. Not called where there is no text.
  package mutating func withBytes(_ slot: Int, _ column: Int, _ body: (inout Batch, UnsafeRawBufferPointer) -> Void) {
    let cell = state.tables[parentType][row(slot), column]
    _ = state.withBytes(of: cell) { bytes in body(&self, bytes) }
  }

  // MARK: What is asked

  /// Whether the document asks for this field of what the batch gives.
  package func selects(_ name: String) -> Bool { call.selected.contains(name) }

  /// The table of an object type that the field gives.
  package func rows(of type: TypeID) -> RowLoading {
    RowLoading(state: state, type: type, columns: columns[type.index])
  }

  /// The one object type that the field gives, where it gives one only.
  package var resultType: TypeID { call.type.type }

  // MARK: Adding

  /// Adds an object by its row. For a list it is the next item.
  package mutating func add(_ slot: Int, row: Int, of type: TypeID) {
    precondition(row >= 0 && row < state.tables[type.index].count, "A row is added to its table first.")
    append(slot, .object(type.index, row))
  }

  /// Adds an object by key. It is loaded with all others of its type that the level needs.
  package mutating func add(_ slot: Int, key: Int64) { append(slot, reference(key)) }

  /// Adds an object of a computed type.
  package mutating func add(_ slot: Int, value: any Sendable, of type: TypeID) {
    append(slot, .object(type.index, state.tables[type.index].add(value: value)))
  }

  /// Adds null. For a list it is an item of it; `add(slot, .null)` makes the whole list null.
  package mutating func addNull(_ slot: Int) { append(slot, .null) }

  /// The field fails for this parent, whatever was added for it before.
  package mutating func fail(_ slot: Int, _ error: FieldError) { fail(slot, FieldFailure(error)) }

  mutating func fail(_ slot: Int, _ failure: FieldFailure) {
    close()
    late.removeAll { $0.slot == slot }
    state.runs[load].put(.error(state.fail(failure)), for: row(slot))
  }

  /// Gives a parent whatever a resolver made, lists in lists included, in place of what was added for it before.
  package mutating func add(_ slot: Int, _ resolved: ResolvedValue) {
    close()
    late.removeAll { $0.slot == slot }
    state.runs[load].starts[row(slot)] = Int32(truncatingIfNeeded: state.runs[load].tokens.count)
    write(resolved, call.type)
  }

  private func write(_ resolved: ResolvedValue, _ type: TypeReference) {
    switch resolved {
    case .null: state.runs[load].tokens.append(RunToken.null.bits)
    case .error(let error):
      state.runs[load].tokens.append(
        RunToken.error(state.fail(FieldFailure(error))).bits
      )
    case .list(let items) where type.isList:
      state.runs[load].tokens.append(RunToken.list(count: items.count).bits)
      for item in items { write(item, type.item) }
    case .key(let key) where !type.isList: state.runs[load].tokens.append(reference(key).bits)
    case .object(let object, let value) where !type.isList:
      state.runs[load].tokens.append(RunToken.object(object.index, state.tables[object.index].add(value: value)).bits)
    default: state.runs[load].tokens.append(unfit().bits)
    }
  }

  private func reference(_ key: Int64) -> RunToken {
    guard let type = context.objectType(of: key) else { return .null }
    return state.reference(key, of: type.index)
  }

  /// One object where there should be a list, or a list where there should be one object.
  private func unfit() -> RunToken {
    let error = ResultError(
      call.type.isList
        ? "Expected Iterable, but did not find one for field \"\(call.coordinate)\"."
        : "Expected one object, but found a list for field \"\(call.coordinate)\"."
    )
    context.report(error, at: call.coordinate)
    return .error(state.fail(FieldFailure(message: error.message, code: .internalError)))
  }

  // MARK: Runs

  private mutating func append(_ slot: Int, _ token: RunToken) {
    if slot == open {
      listCount += 1
      state.runs[load].tokens.append(token.bits)
      return
    }
    let row = row(slot)
    let isFirst = state.runs[load].starts[row] == TokenRuns.nothing
    guard isList else {
      // A second object for a field that gives one is not asked for.
      if isFirst { state.runs[load].put(token, for: row) }
      return
    }
    guard isFirst else {
      late.append((slot, token))
      return
    }
    close()
    open = slot
    listPlace = state.runs[load].tokens.count
    listCount = 1
    state.runs[load].put(.list(count: 0), for: row)
    state.runs[load].tokens.append(call.type.item.isList ? unfit().bits : token.bits)
  }

  private mutating func close() {
    guard open >= 0 else { return }
    state.runs[load].tokens[listPlace] = RunToken.list(count: listCount).bits
    open = -1
  }

  /// Joins what came late to what came before it, in the order in which it came.
  mutating func finish() {
    close()
    guard !late.isEmpty else { return }
    late = late.enumerated().sorted { ($0.element.slot, $0.offset) < ($1.element.slot, $1.offset) }.map(\.element)
    var place = 0
    while place < late.count {
      let slot = late[place].slot
      var end = place + 1
      while end < late.count && late[end].slot == slot { end += 1 }
      let start = Int(state.runs[load].starts[row(slot)])
      let list = RunToken(bits: state.runs[load].tokens[start])
      // A list that was made null, or an error, stays so.
      if list.kind == .list {
        state.runs[load].put(.list(count: list.payload + end - place), for: row(slot))
        for item in 0..<list.payload { state.runs[load].tokens.append(state.runs[load].tokens[start + 1 + item]) }
        for item in place..<end { state.runs[load].tokens.append(late[item].token.bits) }
      }
      place = end
    }
    late.removeAll()
  }
}

/// Objects that a resolver made one parent at a time.
package indirect enum ResolvedValue: Sendable {
  case null
  case error(FieldError)
  /// An object of a computed type.
  case object(TypeID, any Sendable)
  /// An object that is loaded by its key.
  case key(Int64)
  case list([ResolvedValue])
}
