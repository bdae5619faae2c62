/// All the parents of one level for which a field is to be resolved, and where their objects are put.
///
/// Objects are added parent by parent, in the order of the parents' slots. A parent to which nothing was added has an
/// empty list, or null where the field is no list.
package struct Batch {
  let state: ExecutionState
  let executable: ExecutableSchema
  let plan: OperationPlan
  let field: FieldPlan
  let set: Int
  package let arguments: Arguments
  package let count: Int
  private let isList: Bool
  /// The parent whose run is being written, and where its list's token stands.
  private var open = -1
  private var listPlace = 0
  private var listCount = 0

  init(
    state: ExecutionState, executable: ExecutableSchema, plan: OperationPlan, field: FieldPlan, set: Int,
    arguments: Arguments
  ) {
    self.state = state
    self.executable = executable
    self.plan = plan
    self.field = field
    self.set = set
    self.arguments = arguments
    count = state.batches[set].rows.count
    isList = field.type.isList
    state.runs[field.slot].removeAll()
  }

  // MARK: The parents

  package func row(_ slot: Int) -> Int { Int(state.batches[set].rows[slot]) }
  package func key(_ slot: Int) -> Int64 { state.tables[field.parentType.index].key(row(slot)) }
  package var keys: [Int64] { (0..<count).map { key($0) } }

  package func int(_ slot: Int, _ column: Int) -> Int64? {
    let cell = state.tables[field.parentType.index][row(slot), column]
    return CellCoding.isNullOrError(cell) ? nil : cell
  }

  package func view(_ slot: Int, _ context: any ExecutionContext) -> ObjectView {
    ObjectView(
      state: state, type: field.parentType.index, row: row(slot), arguments: arguments, context: context)
  }

  // MARK: What is asked

  /// Whether the document asks for this field of what the batch gives.
  package func selects(_ name: String) -> Bool { field.selected.contains(name) }

  /// The table of an object type that the field gives.
  package func rows(of type: TypeID) -> RowLoading {
    RowLoading(state: state, type: type, columns: plan.columns[type.index])
  }

  /// The one object type that the field gives, where it gives one only.
  package var resultType: TypeID { field.type.type }

  // MARK: Adding

  package mutating func add(_ slot: Int, row: Int, of type: TypeID) {
    append(slot, .object(type.index, row))
  }

  /// Adds an object by key. It is loaded with all others of its type that the level needs.
  package mutating func add(_ slot: Int, key: Int64) {
    guard isList || slot != open else { return }
    let place = state.runs[field.slot].tokens.count + (slot == open ? 0 : opening(slot))
    append(slot, .null)
    state.runs[field.slot].unresolved.append((place, key))
  }

  /// Adds an object of a computed type.
  package mutating func add(_ slot: Int, value: any Sendable, of type: TypeID) {
    append(slot, .object(type.index, state.tables[type.index].add(value: value)))
  }

  package mutating func addNull(_ slot: Int) {
    if isList && slot != open {
      closeRuns(upTo: slot)
      beginRun(slot, .null)
    } else {
      append(slot, .null)
    }
  }

  package mutating func fail(_ slot: Int, _ error: FieldError) {
    let token = RunToken.error(state.fail(FieldFailure(message: error.message, code: error.code)))
    if isList && slot != open {
      closeRuns(upTo: slot)
      beginRun(slot, token)
    } else {
      append(slot, token)
    }
  }

  /// Adds whatever a resolver made, lists in lists included.
  package mutating func add(_ slot: Int, _ resolved: ResolvedValue) {
    closeRuns(upTo: slot)
    open = slot
    listPlace = -1
    state.runs[field.slot].starts.append(Int32(state.runs[field.slot].tokens.count))
    write(resolved)
  }

  private func write(_ resolved: ResolvedValue) {
    switch resolved {
    case .null: state.runs[field.slot].tokens.append(RunToken.null.bits)
    case .error(let error):
      let place = state.fail(FieldFailure(message: error.message, code: error.code))
      state.runs[field.slot].tokens.append(RunToken.error(place).bits)
    case .key(let key):
      state.runs[field.slot].unresolved.append((state.runs[field.slot].tokens.count, key))
      state.runs[field.slot].tokens.append(RunToken.null.bits)
    case .object(let type, let value):
      let row = state.tables[type.index].add(value: value)
      state.runs[field.slot].tokens.append(RunToken.object(type.index, row).bits)
    case .list(let items):
      state.runs[field.slot].tokens.append(RunToken.list(count: items.count).bits)
      for item in items { write(item) }
    }
  }

  // MARK: Runs

  /// How many tokens opening this parent's run will put before its first item.
  private func opening(_ slot: Int) -> Int { (slot - open - 1) + (isList ? 1 : 0) }

  private mutating func append(_ slot: Int, _ token: RunToken) {
    if slot != open {
      closeRuns(upTo: slot)
      if isList {
        beginRun(slot, .list(count: 0))
        listPlace = state.runs[field.slot].tokens.count - 1
        listCount = 0
      } else {
        beginRun(slot, token)
        return
      }
    }
    // A second object for a field that gives one is not asked for.
    guard isList, listPlace >= 0 else { return }
    listCount += 1
    state.runs[field.slot].tokens.append(token.bits)
    state.runs[field.slot].tokens[listPlace] = RunToken.list(count: listCount).bits
  }

  private mutating func beginRun(_ slot: Int, _ token: RunToken) {
    precondition(slot == open + 1, "Parents are answered in the order of their slots.")
    open = slot
    listPlace = -1
    state.runs[field.slot].starts.append(Int32(state.runs[field.slot].tokens.count))
    state.runs[field.slot].tokens.append(token.bits)
  }

  /// Parents that were passed over have an empty list, or null.
  private mutating func closeRuns(upTo slot: Int) {
    while open + 1 < slot { beginRun(open + 1, isList ? .list(count: 0) : .null) }
  }

  mutating func finish() { closeRuns(upTo: count) }
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
