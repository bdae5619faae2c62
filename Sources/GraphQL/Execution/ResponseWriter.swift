import Bytes
import JSON

/// Writes what an execution has collected as JSON, in the document's order, and settles nulls on the way
/// (specification, section 6.4.4): where a value that may not be null is, what has been written of its parent is taken
/// back, up to the next place that may.
struct ResponseWriter: ~Copyable {
  private let plan: OperationPlan
  private let tables: [ObjectTable]
  private let batches: [SetBatch]
  private let runs: [TokenRuns]
  private let leaves: [[Cell]]
  private let state: ExecutionState
  private var buffer: ByteBuffer
  /// Where the writer is: a field of the plan, or, below zero, `-1 - index` in a list.
  private var path: [Int32] = []
  private(set) var errors: [GraphQLError] = []
  /// Past it, further errors are counted for nothing: nobody reads ten thousand of them.
  private static let maximumErrors = 100

  init(plan: OperationPlan, state: ExecutionState, output: consuming ByteBuffer) {
    self.plan = plan
    self.state = state
    // Held here, so that reading them asks nobody whether somebody else writes.
    tables = state.tables
    batches = state.batches
    runs = state.runs
    leaves = state.leaves
    buffer = output
  }

  mutating func writeData() {
    buffer.append("{\"data\":")
    let start = buffer.count
    if !writeObject(set: 0, position: 0) {
      buffer.truncate(to: start)
      buffer.append("null")
    }
  }

  consuming func finish() -> ByteBuffer {
    ErrorResponse.append(errors, to: &buffer)
    buffer.append("}")
    return buffer
  }

  /// One field of the root, with its key.
  mutating func writeRootField(_ operation: Int) -> Bool {
    let set = plan.sets[0]
    return write(plan.operations[operation], set.type.index, 0, 0)
  }

  consuming func output() -> ByteBuffer { buffer }

  // MARK: Objects

  private mutating func writeObject(set place: Int, position: Int) -> Bool {
    let operations = plan.sets[place].operations
    let type = plan.sets[place].type.index
    let row = Int(batches[place].rows[position])
    buffer.append(UInt8(ascii: "{"))
    for operation in operations {
      if !write(plan.operations[operation], type, row, position) { return false }
    }
    buffer.append(UInt8(ascii: "}"))
    return true
  }

  /// One field of an object; false where null must go further up.
  private mutating func write(_ operation: WriteOperation, _ type: Int, _ row: Int, _ position: Int) -> Bool {
    appendKeyBytes(operation.keyStart, operation.keyLength)
    switch operation.kind {
    case .constant:
      appendKeyBytes(operation.extra, operation.extraLength)
      return true
    case .objects:
      var cursor = Int(runs[Int(operation.place)].starts[position])
      path.append(operation.field)
      let written = writeRun(
        Int(operation.place), &cursor, plan.fields[Int(operation.field)].type, plan.fields[Int(operation.field)])
      path.removeLast()
      return written
    default: break
    }
    let cell =
      operation.isComputed
      ? leaves[Int(operation.place)][position] : tables[type][row, Int(operation.place)]
    if CellCoding.isNullOrError(cell) { return writeMissing(cell, operation) }
    switch operation.kind {
    case .text: appendText(cell)
    case .integer: buffer.append(decimal: cell)
    case .double: append(CellCoding.double(cell))
    case .boolean:
      if cell != 0 { buffer.append("true") } else { buffer.append("false") }
    case .dateTime: buffer.append(dateTime: cell)
    case .enumeration: return writeEnumeration(cell, operation)
    default: return writeLeafValue(cell, operation)
    }
    return true
  }

  private mutating func writeRun(_ slot: Int, _ cursor: inout Int, _ type: TypeReference, _ field: FieldPlan) -> Bool {
    let token = RunToken(bits: runs[slot].tokens[cursor])
    cursor += 1
    let start = buffer.count
    switch token.kind {
    case .object:
      if writeObject(set: token.type, position: token.row) { return true }
      buffer.truncate(to: start)
    case .list:
      let item = type.isList ? type.item : type
      buffer.append(UInt8(ascii: "["))
      var written = true
      for index in 0..<token.payload {
        if !written {
          skipRun(slot, &cursor)
          continue
        }
        if index > 0 { buffer.append(UInt8(ascii: ",")) }
        path.append(Int32(-1 - index))
        written = writeRun(slot, &cursor, item, field)
        path.removeLast()
      }
      if written {
        buffer.append(UInt8(ascii: "]"))
        return true
      }
      buffer.truncate(to: start)
    case .null:
      if type.isNonNull { report(nullIn: field) }
    case .error:
      report(state.failures[token.payload], field)
    }
    if type.isNonNull { return false }
    buffer.append("null")
    return true
  }

  private func skipRun(_ slot: Int, _ cursor: inout Int) {
    var left = 1
    while left > 0 {
      let token = RunToken(bits: runs[slot].tokens[cursor])
      cursor += 1
      left -= 1
      if token.kind == .list { left += token.payload }
    }
  }

  // MARK: Leaves

  private mutating func writeMissing(_ cell: Cell, _ operation: WriteOperation) -> Bool {
    let field = plan.fields[Int(operation.field)]
    path.append(operation.field)
    if cell != CellCoding.null {
      report(state.failures[CellCoding.errorPlace(cell)], field)
    } else if !operation.isNullable {
      report(nullIn: field)
    }
    path.removeLast()
    guard operation.isNullable else { return false }
    buffer.append("null")
    return true
  }

  private mutating func writeEnumeration(_ cell: Cell, _ operation: WriteOperation) -> Bool {
    let names = plan.enumerations[Int(operation.extra)]
    guard names.indices.contains(Int(cell)) else {
      let field = plan.fields[Int(operation.field)]
      path.append(operation.field)
      report(FieldFailure(message: "Enum cannot represent value: \(cell)", code: .internalError), field)
      path.removeLast()
      if operation.isNullable { buffer.append("null") }
      return operation.isNullable
    }
    buffer.append(names[Int(cell)])
    return true
  }

  private mutating func writeLeafValue(_ cell: Cell, _ operation: WriteOperation) -> Bool {
    let field = plan.fields[Int(operation.field)]
    path.append(operation.field)
    let written = writeLeafValue(state.leafValues[Int(cell)], field.type, field)
    path.removeLast()
    return written
  }

  private mutating func writeLeafValue(_ value: LeafValue, _ type: TypeReference, _ field: FieldPlan) -> Bool {
    let start = buffer.count
    if case .null = value {
      if type.isNonNull {
        report(nullIn: field)
        return false
      }
      buffer.append("null")
      return true
    }
    if type.isList {
      guard case .list(let items) = value else {
        report(
          FieldFailure(
            message: "Expected Iterable, but did not find one for field \"\(field.coordinate)\".", code: .internalError),
          field)
        if !type.isNonNull { buffer.append("null") }
        return !type.isNonNull
      }
      buffer.append(UInt8(ascii: "["))
      for (index, item) in items.enumerated() {
        if index > 0 { buffer.append(UInt8(ascii: ",")) }
        path.append(Int32(-1 - index))
        let written = writeLeafValue(item, type.item, field)
        path.removeLast()
        if !written {
          buffer.truncate(to: start)
          if !type.isNonNull { buffer.append("null") }
          return !type.isNonNull
        }
      }
      buffer.append(UInt8(ascii: "]"))
      return true
    }
    do {
      try buffer.append(leaf: value, of: type.type, in: plan.schema)
    } catch {
      buffer.truncate(to: start)
      report(FieldFailure(message: error.message, code: error.code), field)
      if !type.isNonNull { buffer.append("null") }
      return !type.isNonNull
    }
    return true
  }

  // MARK: Bytes

  private mutating func appendText(_ cell: Cell) {
    let start = CellCoding.textOffset(cell)
    let length = CellCoding.textLength(cell)
    // One room for the text and both its quotes.
    buffer.reserve(length &+ 2)
    state.arena.withUnsafeBytes { arena in
      let text = UnsafeRawBufferPointer(rebasing: arena[start..<(start &+ length)])
      if CellCoding.textNeedsEscape(cell) {
        buffer.append(jsonString: text)
      } else {
        buffer.append(UInt8(ascii: "\""))
        buffer.append(text)
        buffer.append(UInt8(ascii: "\""))
      }
    }
  }

  private mutating func append(_ number: Double) { buffer.append(LeafValue.text(number)) }

  private mutating func appendKeyBytes(_ start: Int32, _ length: Int32) {
    plan.keyBytes.withUnsafeBytes { bytes in
      buffer.append(UnsafeRawBufferPointer(rebasing: bytes[Int(start)..<Int(start &+ length)]))
    }
  }

  // MARK: Errors

  private mutating func report(nullIn field: FieldPlan) {
    report(
      FieldFailure(
        message: "Cannot return null for non-nullable field \(field.coordinate).", code: .internalError), field)
  }

  private mutating func report(_ failure: FieldFailure, _ field: FieldPlan) {
    guard errors.count < Self.maximumErrors else { return }
    errors.append(
      GraphQLError(
        failure.message, at: field.locations,
        path: path.map { $0 < 0 ? .index(Int(-1 - $0)) : .key(plan.fields[Int($0)].responseKey) }, code: failure.code))
  }
}

extension ByteBuffer {
  /// A leaf that has no fixed form: whatever JSON it is.
  fileprivate mutating func append(leaf value: LeafValue, of type: TypeID, in schema: Schema) throws(FieldError) {
    let named = schema[type]
    let isCustom = named.kind == .scalar && schema.scalars[type]?.format == nil
    switch value {
    case .null: append("null")
    case .string(let text):
      guard isCustom || named.kind == .enum || schema.scalars[type]?.format == .text else {
        throw ResultCoercion.unfit(value, named)
      }
      if named.kind == .enum && named.enumValueNames.place(of: text) == nil {
        throw ResultCoercion.unfit(value, named)
      }
      append(jsonString: text)
    case .int(let number):
      if schema.scalars[type]?.format == .text {
        append(jsonString: String(number))
      } else if schema.scalars[type]?.format == .dateTime {
        append(dateTime: number)
      } else if named.kind == .enum || named.name == "Boolean" {
        throw ResultCoercion.unfit(value, named)
      } else {
        append(decimal: number)
      }
    case .double(let number):
      guard number.isFinite, isCustom || named.name == "Float" else { throw ResultCoercion.unfit(value, named) }
      append(LeafValue.text(number))
    case .boolean(let truth):
      guard isCustom || named.name == "Boolean" else { throw ResultCoercion.unfit(value, named) }
      append(truth ? "true" : "false")
    case .list(let items):
      guard isCustom else { throw ResultCoercion.unfit(value, named) }
      append("[")
      for (index, item) in items.enumerated() {
        if index > 0 { append(",") }
        try append(leaf: item, of: type, in: schema)
      }
      append("]")
    }
  }
}
