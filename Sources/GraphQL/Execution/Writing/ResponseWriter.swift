import Bytes
import JSON

/// Writes what an execution has collected as JSON, in the document's order, and settles nulls on the way
/// (specification, section 6.4.4): where a value that may not be null is, what has been written of its parent is taken
/// back, up to the next place that may.
struct ResponseWriter: ~Copyable {
  let plan: OperationPlan
  let state: ExecutionState
  let document: Document
  let context: any ExecutionContext
  let onError: ErrorBehavior
  private let maximumBytes: Int
  var buffer: ByteBuffer
  /// Bytes that were written and taken back, and tokens that were passed over: work that counts as answer.
  private var discarded = 0
  private(set) var isOverfull: Bool
  /// Bytes at which the writer stops, and whether it then is overdue: what is longer is written off the loop.
  private let stop: Int
  private let canMoveOffLoop: Bool
  private(set) var isOverdue = false
  static let maximumBytesOnLoop = 512 << 10
  var isHalted = false
  /// Whether nothing has failed so far. After a failure no object is copied: each place reports its own errors, and
  /// what was taken back is no longer there to copy.
  var hasNoErrors = true
  /// Where the writer is: a field of the plan, or, below zero, `-1 - index` in a list.
  var path = PlainBuffer<Int32>()
  var errors: ResponseErrors

  /// - Parameters:
  ///   - canLeave: whether a long answer is given up, to be written again off the loop.
  ///   - isRepeated: whether the same was begun before, so that what is known of written objects is not so.
  init(
    _ execution: Execution,
    _ output: consuming ByteBuffer,
    _ errors: ResponseErrors? = nil,
    canMoveOffLoop: Bool,
    isRepeated: Bool
  ) {
    plan = execution.plan
    state = execution.state
    document = execution.operation.document
    context = execution.context
    onError = execution.onError
    maximumBytes = execution.limits.responseBytes
    self.canMoveOffLoop = canMoveOffLoop
    stop = canMoveOffLoop ? min(maximumBytes, output.count + Self.maximumBytesOnLoop) : maximumBytes
    hasNoErrors = !isRepeated
    buffer = output
    isOverfull = execution.state.isOverfull
    self.errors = errors ?? ResponseErrors(limit: execution.limits.errors)
  }

  mutating func writeData() {
    buffer.append("{\"data\":")
    let start = buffer.count
    let isWritten = withView { writer, view in writer.writeObject(view, set: 0, row: 0) }
    if isTooLong(adding: 0) { giveUp(adding: 0) }
    if !isWritten {
      buffer.truncate(to: start)
      buffer.append("null")
    }
  }

  consuming func finish() -> ByteBuffer {
    if isOverfull { return ErrorResponse.tooLarge(maximumBytes) }
    ErrorResponse.append(errors.list, to: &buffer)
    buffer.append("}")
    return buffer
  }

  /// One field of the root, with its key; false where null must take the whole data's place.
  mutating func writeRootField(_ operation: Int) -> Bool {
    let isWritten = withView { writer, view in
      writer.write(view, writer.plan.operations[operation], view.rows(of: 0).cells, row: 0)
    }
    if isTooLong(adding: 0) { giveUp(adding: 0) }
    return isWritten
  }

  /// Asked where an object begins, which is where an answer multiplies, and at the end.
  private func isTooLong(adding length: Int) -> Bool { buffer.count &+ discarded &+ length > stop }

  private mutating func giveUp(adding length: Int) {
    guard !isOverfull else { return }
    isOverfull = true
    isOverdue = canMoveOffLoop && buffer.count &+ discarded &+ length <= maximumBytes
    if isOverdue { context.isOverdue = true }
  }

  /// What was written, for the next writer.
  consuming func output() -> ByteBuffer { buffer }

  private mutating func withView(_ body: (inout ResponseWriter, borrowing ResponseView) -> Bool) -> Bool {
    ResponseView.with(plan, state) { view in body(&self, view) }
  }

  // MARK: Objects

  private mutating func writeObject(_ view: borrowing ResponseView, set: Int, row: Int) -> Bool {
    let rows = view.rows(of: set)
    let known = hasNoErrors ? rows.written?[row] ?? .never : .never
    if isOverfull || isTooLong(adding: known.length) {
      giveUp(adding: known.length)
      return false
    }
    if known.length > 0 {
      buffer.append(copyOf: known.start..<(known.start &+ known.length))
      return true
    }
    let start = buffer.count
    buffer.append(UInt8(ascii: "{"))
    let cells = rows.cells + row &* rows.width
    for operation in rows.operations {
      // What most fields are is written here at once.
      if operation.kind == .text && !operation.isComputed {
        let cell = cells[Int(operation.source)]
        if !CellCoding.isNullOrError(cell) && !CellCoding.textNeedsEscape(cell) {
          appendPlainText(view, operation.key, cell)
          continue
        }
      }
      if !write(view, operation, cells, row: row) { return false }
    }
    buffer.append(UInt8(ascii: "}"))
    rows.written?[row] = WrittenObject(start: start, length: buffer.count &- start)
    return true
  }

  /// One field of an object; false where null must go further up.
  private mutating func write(
    _ view: borrowing ResponseView,
    _ operation: WriteOperation,
    _ cells: UnsafePointer<Cell>,
    row: Int
  ) -> Bool {
    append(view, operation.key)
    if operation.kind == .constant {
      append(view, operation.extra)
      return true
    }
    if operation.givesObjects { return writeObjects(view, operation, row) }
    let cell = operation.isComputed ? view.leaf(Int(operation.source), row: row) : cells[Int(operation.source)]
    if CellCoding.isNullOrError(cell) { return writeMissing(cell, operation) }
    switch operation.kind {
    case .text: appendText(view, cell)
    case .integer: buffer.append(decimal: cell)
    case .int32:
      guard Int32(exactly: cell) != nil else { return writeInvalid(cell, operation) }
      buffer.append(decimal: cell)
    case .double: buffer.append(LeafValue.text(CellCoding.double(cell)))
    case .boolean:
      if cell != 0 { buffer.append("true") } else { buffer.append("false") }
    case .dateTime:
      guard ByteBuffer.dateTimes.contains(cell) else { return writeInvalid(cell, operation) }
      buffer.append(dateTime: cell)
    case .enumeration:
      guard UInt64(bitPattern: cell) < UInt64(operation.extra.length) else { return writeInvalid(cell, operation) }
      append(view, view.enumerationNames[Int(operation.extra.start) &+ Int(cell)])
    default: return writeLeafValue(cell, operation)
    }
    return true
  }

  private mutating func writeObjects(
    _ view: borrowing ResponseView,
    _ operation: WriteOperation,
    _ row: Int
  ) -> Bool {
    path.append(operation.field)
    let runs = view.runs(of: Int(operation.source))
    var cursor = Int(runs.starts[row])
    let isWritten: Bool
    if cursor >= 0 {
      isWritten = writeRun(view, operation, runs.tokens, &cursor, operation.wrappers)
    } else if TypeReference.isList(operation.wrappers) {
      buffer.append("[]")
      isWritten = true
    } else {
      if !operation.isNullable { reportNull(operation.field) }
      isWritten = writeNull(ifNullable: operation.isNullable)
    }
    path.removeLast()
    return isWritten
  }

  /// `wrappers` are those of the type that the run's value has: see `TypeReference`.
  private mutating func writeRun(
    _ view: borrowing ResponseView,
    _ operation: WriteOperation,
    _ tokens: UnsafePointer<Int64>,
    _ cursor: inout Int,
    _ wrappers: UInt32
  ) -> Bool {
    let token = RunToken(bits: tokens[cursor])
    cursor &+= 1
    let start = buffer.count
    let isNullable = !TypeReference.isNonNull(wrappers)
    switch token.kind {
    case .object:
      let set =
        operation.kind == .objects
        ? Int(operation.extra.start) : Int(view.setsByType[Int(operation.extra.start) &+ token.type])
      if writeObject(view, set: set, row: token.row) { return true }
    case .list:
      if writeList(view, operation, tokens, &cursor, TypeReference.item(wrappers), count: token.payload) { return true }
    case .null:
      if !isNullable { reportNull(operation.field) }
    case .error: report(state.failures[token.payload], operation.field)
    }
    rollBack(to: start)
    return writeNull(ifNullable: isNullable)
  }

  private mutating func writeList(
    _ view: borrowing ResponseView,
    _ operation: WriteOperation,
    _ tokens: UnsafePointer<Int64>,
    _ cursor: inout Int,
    _ item: UInt32,
    count: Int
  ) -> Bool {
    buffer.append(UInt8(ascii: "["))
    for index in 0..<count {
      if index > 0 { buffer.append(UInt8(ascii: ",")) }
      path.append(Int32(truncatingIfNeeded: -1 - index))
      let isWritten = writeRun(view, operation, tokens, &cursor, item)
      path.removeLast()
      if !isWritten {
        skip(count - index - 1, tokens, &cursor)
        return false
      }
    }
    buffer.append(UInt8(ascii: "]"))
    return true
  }

  /// Passes over the runs of the items that are not written.
  private mutating func skip(_ count: Int, _ tokens: UnsafePointer<Int64>, _ cursor: inout Int) {
    var left = count
    while left > 0 {
      let token = RunToken(bits: tokens[cursor])
      cursor &+= 1
      discarded &+= 1
      left &-= 1
      if token.kind == .list { left &+= token.payload }
    }
  }

  // MARK: Nulls

  /// Puts null where it may stand; false where it must go further up.
  mutating func writeNull(ifNullable isNullable: Bool) -> Bool {
    if isHalted || isOverfull { return false }
    guard isNullable || onError == .null else { return false }
    buffer.append("null")
    return true
  }

  mutating func rollBack(to start: Int) {
    hasNoErrors = false
    discarded &+= buffer.count &- start
    buffer.truncate(to: start)
  }
}
