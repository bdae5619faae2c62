import Bytes
import JSON

/// Writes the result of an execution as JSON in the order of the document, and propagates null (specification, section
/// 6.4.4): if a non-null value is null, the writer truncates what it wrote of the parent, up to the nearest nullable
/// value.
struct ResponseWriter: ~Copyable {
  /// The only reference: others would be retained for each response.
  private let execution: Execution
  var plan: OperationPlan { execution.plan }
  var state: ExecutionState { execution.state }
  var document: Document { execution.operation.document }
  var context: any ExecutionContext { execution.context }
  var onError: ErrorBehavior { execution.onError }
  /// Records what is delivered later. Nil if the response is complete.
  var delivery: IncrementalDelivery? { execution.delivery }
  private let maximumBytes: Int
  var buffer: ByteBuffer
  /// The number of bytes that were written and removed, and of tokens that were skipped. They count toward the size
  /// limit, as work.
  private var discarded = 0
  var isOverfull: Bool
  /// The number of bytes at which the writer stops. If `canMoveOffLoop` is true, the writer is then overdue, and the
  /// response is written again off the event loop.
  private let stop: Int
  private let canMoveOffLoop: Bool
  private(set) var isOverdue = false
  static let maximumBytesOnLoop = 512 << 10
  var isHalted = false
  /// Whether no error has occurred so far. After an error no object is copied: each occurrence reports its own errors,
  /// and removed bytes are no longer available for copying.
  var hasNoErrors = true
  /// The response path: the index of a field in the plan, or `-1 - index` for an item of a list.
  var path = PlainBuffer<Int32>()
  var errors: ResponseErrors

  /// - Parameters:
  ///   - canMoveOffLoop: Whether a long response is abandoned, to be written again off the event loop.
  ///   - isRepeated: Whether this is the second attempt, for which recorded positions of objects are invalid.
  init(
    _ execution: Execution,
    output: consuming ByteBuffer,
    errors: ResponseErrors? = nil,
    canMoveOffLoop: Bool,
    isRepeated: Bool
  ) {
    self.execution = execution
    maximumBytes = execution.limits.responseBytes - (execution.delivery?.sentBytes ?? 0)
    self.canMoveOffLoop = canMoveOffLoop
    stop = canMoveOffLoop ? min(maximumBytes, output.count + Self.maximumBytesOnLoop) : maximumBytes
    // An object of which parts are delivered later is written for each of its paths.
    hasNoErrors = !isRepeated && execution.delivery == nil
    buffer = output
    isOverfull = execution.state.isOverfull
    self.errors = errors ?? ResponseErrors(limit: execution.limits.errors)
    swap(&path, &execution.memory.path)
    path.removeAll()
  }

  mutating func writeData() {
    buffer.append("{\"data\":")
    let start = buffer.count
    let isWritten = withView { writer, view in writer.writeObject(view, set: 0, row: 0) }
    if isTooLong(adding: 0) { giveUp(adding: 0) }
    if !isWritten {
      delivery?.records.removeAll(after: start)
      buffer.truncate(to: start)
      buffer.append("null")
    }
  }

  consuming func finish() -> ByteBuffer {
    swap(&path, &execution.memory.path)
    if isOverfull { return ErrorResponse.tooLarge(maximumBytes) }
    if !errors.isEmpty { ErrorResponse.append(reportedErrors, to: &buffer) }
    buffer.append("}")
    return buffer
  }

  /// Writes one root field with its key. Returns false if null propagates to the whole data.
  mutating func writeRootField(_ operation: Int) -> Bool {
    let isWritten = withView { writer, view in
      writer.write(view, operation: view.operations + operation, cells: view.rows(of: 0).cells, row: 0)
    }
    if isTooLong(adding: 0) { giveUp(adding: 0) }
    return isWritten
  }

  /// Tested at the start of each object, where responses multiply, and at the end.
  func isTooLong(adding length: Int) -> Bool { buffer.count &+ discarded &+ length > stop }

  mutating func giveUp(adding length: Int) {
    guard !isOverfull else { return }
    isOverfull = true
    isOverdue = canMoveOffLoop && buffer.count &+ discarded &+ length <= maximumBytes
    if isOverdue { context.isOverdue = true }
  }

  /// Returns the buffer, for the next writer.
  consuming func output() -> ByteBuffer {
    swap(&path, &execution.memory.path)
    return buffer
  }

  mutating func withView(_ body: (inout ResponseWriter, borrowing ResponseView) -> Bool) -> Bool {
    execution.withView { view in body(&self, view) }
  }

  // MARK: Objects

  mutating func writeObject(_ view: borrowing ResponseView, set: Int, row: Int) -> Bool {
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
    for index in 0..<rows.operationCount {
      let operation = rows.operations + index
      // The fast path for the most frequent kind of field.
      if operation.pointee.kind == .text && !operation.pointee.isComputed {
        let cell = cells[Int(operation.pointee.source)]
        if !CellCoding.isNullOrError(cell) && !CellCoding.textNeedsEscape(cell) {
          appendPlainText(view, key: operation.pointee.key, cell: cell)
          continue
        }
      }
      if !write(view, operation: operation, cells: cells, row: row) { return false }
    }
    buffer.append(UInt8(ascii: "}"))
    rows.written?[row] = WrittenObject(start: start, length: buffer.count &- start)
    return true
  }

  /// Writes one field of an object. Returns false if null propagates to the parent.
  private mutating func write(
    _ view: borrowing ResponseView,
    operation: UnsafePointer<WriteOperation>,
    cells: UnsafePointer<Cell>,
    row: Int
  ) -> Bool {
    append(view, range: operation.pointee.key)
    if operation.pointee.isMetaField {
      guard operation.pointee.kind == .constant else { return writePartialIntrospection(operation) }
      append(view, range: operation.pointee.constant)
      return true
    }
    if operation.pointee.givesObjects { return writeObjects(view, operation: operation, row: row) }
    let source = Int(operation.pointee.source)
    let cell = operation.pointee.isComputed ? view.leaf(source, row: row) : cells[source]
    if CellCoding.isNullOrError(cell) { return writeMissing(cell, operation: operation) }
    switch operation.pointee.kind {
    case .text: appendText(view, cell: cell)
    case .integer: buffer.append(decimal: cell)
    case .int32:
      guard Int32(exactly: cell) != nil else { return writeInvalid(.int(cell), operation: operation) }
      buffer.append(decimal: cell)
    case .double where CellCoding.double(cell).isFinite: buffer.append(LeafValue.text(CellCoding.double(cell)))
    case .double: return writeInvalid(.double(CellCoding.double(cell)), operation: operation)
    case .boolean:
      if cell != 0 { buffer.append("true") } else { buffer.append("false") }
    case .dateTime:
      guard ByteBuffer.dateTimes.contains(cell) else { return writeInvalid(.int(cell), operation: operation) }
      buffer.append(dateTime: cell)
    case .enumeration:
      guard UInt64(bitPattern: cell) < UInt64(operation.pointee.enumerationNames.length) else {
        return writeInvalid(.int(cell), operation: operation)
      }
      append(view, range: view.enumerationNames[Int(operation.pointee.enumerationNames.start) &+ Int(cell)])
    default: return writeLeafValue(cell, operation: operation)
    }
    return true
  }

  private mutating func writeObjects(
    _ view: borrowing ResponseView,
    operation: UnsafePointer<WriteOperation>,
    row: Int
  ) -> Bool {
    if operation.pointee.isIncremental { return writeIncremental(view, operation: operation, row: row) }
    path.append(operation.pointee.field)
    let runs = view.runs(of: Int(operation.pointee.source))
    var cursor = Int(runs.starts[row])
    let isWritten: Bool
    if cursor >= 0 {
      let wrappers = operation.pointee.wrappers
      isWritten = writeRun(view, operation: operation, tokens: runs.tokens, cursor: &cursor, wrappers: wrappers)
    } else if TypeReference.isList(operation.pointee.wrappers) {
      buffer.append("[]")
      isWritten = true
    } else {
      if !operation.pointee.isNullable { reportNull(operation.pointee.field) }
      isWritten = writeNull(ifNullable: operation.pointee.isNullable)
    }
    path.removeLast()
    return isWritten
  }

  /// `wrappers` are the wrappers of the type of the run's value; see `TypeReference`.
  mutating func writeRun(
    _ view: borrowing ResponseView,
    operation: UnsafePointer<WriteOperation>,
    tokens: UnsafePointer<Int64>,
    cursor: inout Int,
    wrappers: UInt32
  ) -> Bool {
    let token = RunToken(bits: tokens[cursor])
    cursor &+= 1
    let start = buffer.count
    let isNullable = !TypeReference.isNonNull(wrappers)
    switch token.kind {
    case .object:
      let hasOne = operation.pointee.kind == .objects
      let set = hasOne ? operation.pointee.set : Int(view.setsByType[operation.pointee.setsByTypeStart &+ token.type])
      if writeObject(view, set: set, row: token.row) { return true }
    case .list:
      if writeList(
        view,
        operation: operation,
        tokens: tokens,
        cursor: &cursor,
        item: TypeReference.item(wrappers),
        count: token.payload
      ) {
        return true
      }
    case .null:
      if !isNullable { reportNull(operation.pointee.field) }
    case .error: report(state.failures[token.payload], field: operation.pointee.field)
    }
    rollBack(to: start)
    return writeNull(ifNullable: isNullable)
  }

  private mutating func writeList(
    _ view: borrowing ResponseView,
    operation: UnsafePointer<WriteOperation>,
    tokens: UnsafePointer<Int64>,
    cursor: inout Int,
    item: UInt32,
    count: Int
  ) -> Bool {
    buffer.append(UInt8(ascii: "["))
    let step = path.count
    path.append(-1)
    var isWritten = true
    for index in 0..<count {
      if index > 0 {
        buffer.append(UInt8(ascii: ","))
        path[step] = Int32(truncatingIfNeeded: -1 - index)
      }
      isWritten = writeRun(view, operation: operation, tokens: tokens, cursor: &cursor, wrappers: item)
      if !isWritten {
        skip(count - index - 1, tokens: tokens, cursor: &cursor)
        break
      }
    }
    path.removeLast()
    if isWritten { buffer.append(UInt8(ascii: "]")) }
    return isWritten
  }

  /// Skips the runs of the items that are not written.
  mutating func skip(_ count: Int, tokens: UnsafePointer<Int64>, cursor: inout Int) {
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

  /// Writes null if the value is nullable, or if the request asks for `ErrorBehavior.null`. Returns false if null
  /// propagates to the parent.
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
    delivery?.records.removeAll(after: start)
  }
}
