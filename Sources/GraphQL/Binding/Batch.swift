import Bytes

/// The parent objects for which a field is resolved in one call, and the destination of the results. Resolving a field
/// for all parents of a level at once avoids the N+1 problem.
///
/// Parents are identified by their indexes from 0 to `count - 1`. Results can be added in any order; the order of the
/// parents is the fastest. A parent without a result gets an empty list, or null if the field's type is not a list.
package struct Batch: ~Copyable {
  private let context: any ExecutionContext
  let state: ExecutionState
  private let call: FieldCall
  /// The slot of the field call in the plan.
  let load: Int
  let parentType: Int
  package let arguments: Arguments
  /// The number of parents, at least 1.
  package let count: Int
  private let isList: Bool
  /// The index of the parent whose list is being written, or -1, and the index of that list's token.
  private var openParent = -1
  private var listTokenIndex = 0
  private var listCount = 0
  /// Items added to a parent's list after results of another parent had been added.
  private var late: [(parent: Int, token: RunToken)] = []

  /// Creates a batch of the parents that are pending for a call.
  init(
    of call: FieldCall,
    slot load: Int,
    arguments: Arguments,
    state: ExecutionState,
    context: any ExecutionContext
  ) {
    self.call = call
    self.load = load
    self.arguments = arguments
    self.state = state
    self.context = context
    parentType = call.parentType.index
    count = state.runs[load].pending.count
    isList = call.type.isList
  }

  // MARK: The parents

  package func row(_ parent: Int) -> Int { Int(state.runs[load].pending[parent]) }
  package func key(_ parent: Int) -> Int64 { state.tables[parentType].key(row(parent)) }
  package var keys: [Int64] {
    var keys: [Int64] = []
    keys.reserveCapacity(count)
    for parent in 0..<count { keys.append(key(parent)) }
    return keys
  }

  /// An integer column of the parent's row, or nil if it is null.
  package func int(_ parent: Int, column: Int) -> Int64? {
    let cell = state.tables[parentType][row(parent), column]
    return CellCoding.isNullOrError(cell) ? nil : cell
  }

  package func view(_ parent: Int, in context: any ExecutionContext) -> ObjectView {
    ObjectView(state: state, type: call.parentType, row: row(parent), arguments: arguments, context: context)
  }

  /// Calls `body` with the bytes of a text column of the parent's row, unless it is null. `body` may add objects, but
  /// must neither add text to the request nor keep the bytes.
  package mutating func withBytes(_ parent: Int, column: Int, _ body: (inout Batch, UnsafeRawBufferPointer) -> Void) {
    // Not a closure that captures `self`, which would retain the state for each object.
    guard let bytes = state.bytes(of: state.tables[parentType][row(parent), column]) else { return }
    body(&self, bytes)
  }

  // MARK: The selection

  /// Whether the document selects this field on the objects that the batch returns.
  package func selects(_ name: String) -> Bool { call.selects(name) }

  /// The same, for after the call.
  package var selection: SelectedFields { SelectedFields(of: call) }

  /// The table of an object type that the field can return.
  package func rows(of type: TypeID) -> RowLoading {
    RowLoading(state: state, type: type)
  }

  /// The object type that the field returns, for fields whose type is not abstract.
  package var resultType: TypeID { call.type.type }

  // MARK: Adding

  /// Adds an object by its row. If the field's type is a list, the object is the next item.
  package mutating func add(_ parent: Int, row: Int, of type: TypeID) {
    precondition(row >= 0 && row < state.tables[type.index].count, "The row must be in the table.")
    append(parent, token: .object(type: type.index, row: row))
  }

  /// Adds an object by key. All objects of its type that the level references are loaded together.
  package mutating func add(_ parent: Int, key: Int64) { append(parent, token: reference(key)) }

  /// Adds an object of a type whose objects are Swift values instead of stored rows.
  package mutating func add(_ parent: Int, value: any Sendable, of type: TypeID) {
    append(
      parent,
      token: .object(type: type.index, row: state.tables[type.index].add(value: value, listing: &state.usedTypes))
    )
  }

  /// Adds null. If the field's type is a list, null is added as an item; `add(parent, resolved: .null)` makes the whole
  /// list null.
  package mutating func addNull(_ parent: Int) { append(parent, token: .null) }

  /// Records a field error for this parent, in place of anything added for it before.
  package mutating func fail(_ parent: Int, with error: FieldError) { fail(parent, with: FieldFailure(error)) }

  mutating func fail(_ parent: Int, with failure: FieldFailure) {
    endList()
    late.removeAll { $0.parent == parent }
    state.runs[load].put(.error(state.fail(failure)), for: row(parent))
  }

  /// Sets a parent's result to a resolved value, which may be a list of lists. It replaces anything added for the
  /// parent before.
  package mutating func add(_ parent: Int, resolved: ResolvedValue) {
    endList()
    late.removeAll { $0.parent == parent }
    state.runs[load].starts[row(parent)] = Int32(truncatingIfNeeded: state.runs[load].tokens.count)
    write(resolved, type: call.type)
  }

  private func write(_ resolved: ResolvedValue, type: TypeReference) {
    switch resolved {
    case .null: state.runs[load].tokens.append(RunToken.null.bits)
    case .error(let error):
      state.runs[load].tokens.append(
        RunToken.error(state.fail(FieldFailure(error))).bits
      )
    case .list(let items) where type.isList:
      state.runs[load].tokens.append(RunToken.list(count: items.count).bits)
      for item in items { write(item, type: type.item) }
    case .key(let key) where !type.isList: state.runs[load].tokens.append(reference(key).bits)
    case .object(let object, let value) where !type.isList:
      state.runs[load].tokens.append(
        RunToken.object(
          type: object.index,
          row: state.tables[object.index].add(value: value, listing: &state.usedTypes)
        )
        .bits
      )
    default: state.runs[load].tokens.append(shapeError().bits)
    }
  }

  @inline(__always)
  private func reference(_ key: Int64) -> RunToken {
    guard let type = context.objectType(of: key) else { return .null }
    return state.reference(key, of: type.index)
  }

  /// The field error for a single object in place of a list, or for a list in place of a single object.
  private func shapeError() -> RunToken {
    let error = ResultError(
      call.type.isList
        ? "Expected Iterable, but did not find one for field \"\(call.coordinate)\"."
        : "Expected one object, but found a list for field \"\(call.coordinate)\"."
    )
    return .error(state.fail(FieldFailure(context.clientError(for: error, at: call.coordinate))))
  }

  // MARK: Runs

  @inline(__always)
  private mutating func append(_ parent: Int, token: RunToken) {
    // Most items follow another one of the same list.
    guard parent == openParent else { return appendFirst(parent, token: token) }
    listCount &+= 1
    state.runs[load].tokens.append(token.bits)
  }

  /// Adds an object that does not follow one of the same list.
  @inline(never)
  private mutating func appendFirst(_ parent: Int, token: RunToken) {
    let row = row(parent)
    let isFirst = state.runs[load].starts[row] == TokenRuns.nothing
    guard isList else {
      // For a field that is not a list, only the first object counts.
      if isFirst { state.runs[load].put(token, for: row) }
      return
    }
    guard isFirst else {
      late.append((parent, token))
      return
    }
    if call.type.item.isList {
      let error = shapeError()
      return state.runs[load].put(error, for: row)
    }
    endList()
    openParent = parent
    listTokenIndex = state.runs[load].tokens.count
    listCount = 1
    state.runs[load].put(.list(count: 0), for: row)
    state.runs[load].tokens.append(token.bits)
  }

  private mutating func endList() {
    guard openParent >= 0 else { return }
    state.runs[load].tokens[listTokenIndex] = RunToken.list(count: listCount).bits
    openParent = -1
  }

  /// Appends the late items to their lists, in the order in which they were added.
  mutating func finish() {
    endList()
    guard !late.isEmpty else { return }
    late = late.enumerated().sorted { ($0.element.parent, $0.offset) < ($1.element.parent, $1.offset) }.map(\.element)
    var first = 0
    while first < late.count {
      let parent = late[first].parent
      var end = first + 1
      while end < late.count && late[end].parent == parent { end += 1 }
      let start = Int(state.runs[load].starts[row(parent)])
      let list = RunToken(bits: state.runs[load].tokens[start])
      // A list that was replaced by null or an error stays that way.
      if list.kind == .list {
        state.runs[load].put(.list(count: list.payload + end - first), for: row(parent))
        for item in 0..<list.payload { state.runs[load].tokens.append(state.runs[load].tokens[start + 1 + item]) }
        for item in first..<end { state.runs[load].tokens.append(late[item].token.bits) }
      }
      first = end
    }
    late.removeAll()
  }
}

/// The result of a resolver that is called for one parent at a time.
package indirect enum ResolvedValue: Sendable {
  case null
  case error(FieldError)
  /// An object of a type whose objects are Swift values.
  case object(TypeID, any Sendable)
  /// An object to be loaded by its key.
  case key(Int64)
  case list([ResolvedValue])
}
