import Bytes
import JSON

extension ResponseWriter {
  /// Writes a cell without a value: null, or an error.
  mutating func writeMissing(_ cell: Cell, operation: UnsafePointer<WriteOperation>) -> Bool {
    if cell == CellCoding.null {
      if !operation.pointee.isNullable { reportNull(at: operation) }
    } else {
      path.append(operation.pointee.field)
      report(state.failures[CellCoding.errorIndex(cell)], field: operation.pointee.field)
      path.removeLast()
    }
    return writeNull(ifNullable: operation.pointee.isNullable)
  }

  private mutating func reportNull(at operation: UnsafePointer<WriteOperation>) {
    path.append(operation.pointee.field)
    reportNull(operation.pointee.field)
    path.removeLast()
  }

  /// Reports a stored number that result coercion rejects, and writes null.
  mutating func writeInvalid(_ value: LeafValue, operation: UnsafePointer<WriteOperation>) -> Bool {
    let type = plan.schema[plan.fields[Int(operation.pointee.field)].type.type]
    path.append(operation.pointee.field)
    report(ResultError(value, type: type), field: operation.pointee.field)
    path.removeLast()
    return writeNull(ifNullable: operation.pointee.isNullable)
  }

  /// Writes a list of leaves, or a custom scalar without a `ColumnFormat`.
  mutating func writeLeafValue(_ cell: Cell, operation: UnsafePointer<WriteOperation>) -> Bool {
    let type = plan.fields[Int(operation.pointee.field)].type
    path.append(operation.pointee.field)
    let isWritten = write(state.leafValues[Int(cell)], type: type, field: operation.pointee.field)
    path.removeLast()
    return isWritten
  }

  private mutating func write(_ value: LeafValue, type: TypeReference, field: Int32) -> Bool {
    let start = buffer.count
    if case .null = value {
      if type.isNonNull { reportNull(field) }
      return writeNull(ifNullable: !type.isNonNull)
    }
    if type.isList {
      if case .list(let items) = value {
        if writeList(items, type: type.item, field: field) { return true }
      } else {
        let coordinate = plan.coordinate(of: Int(field))
        report(ResultError("Expected Iterable, but did not find one for field \"\(coordinate)\"."), field: field)
      }
    } else {
      do {
        try appendLeaf(value, type: plan.schema[type.type], format: plan.schema.scalars[type.type.index]?.format)
        return true
      } catch {
        report(error, field: field)
      }
    }
    rollBack(to: start)
    return writeNull(ifNullable: !type.isNonNull)
  }

  private mutating func writeList(_ items: [LeafValue], type: TypeReference, field: Int32) -> Bool {
    buffer.append(UInt8(ascii: "["))
    for (index, item) in items.enumerated() {
      if index > 0 { buffer.append(UInt8(ascii: ",")) }
      path.append(Int32(truncatingIfNeeded: -1 - index))
      let isWritten = write(item, type: type, field: field)
      path.removeLast()
      if !isWritten { return false }
    }
    buffer.append(UInt8(ascii: "]"))
    return true
  }

  private mutating func appendLeaf(
    _ value: LeafValue,
    type: TypeDefinition,
    format: ColumnFormat?
  ) throws(ResultError) {
    switch try ResultCoercion.coerce(value, to: type, format: format) {
    case .string: if case .string(let text) = value { buffer.append(jsonString: text) }
    case .text(let text): buffer.append(jsonString: text)
    case .integer(let number): buffer.append(decimal: number)
    case .double(let number): buffer.append(LeafValue.text(number))
    case .boolean(let truth): buffer.append(truth ? "true" : "false")
    case .dateTime(let milliseconds): buffer.append(dateTime: milliseconds)
    case .anything: try appendAnything(value, type: type)
    }
  }

  /// Appends a custom scalar without a `ColumnFormat` as the corresponding JSON value.
  private mutating func appendAnything(_ value: LeafValue, type: TypeDefinition) throws(ResultError) {
    switch value {
    case .null: buffer.append("null")
    case .string(let text): buffer.append(jsonString: text)
    case .int(let number): buffer.append(decimal: number)
    case .double(let number):
      guard number.isFinite else { throw ResultError(value, type: type) }
      buffer.append(LeafValue.text(number))
    case .boolean(let truth): buffer.append(truth ? "true" : "false")
    case .list(let items):
      buffer.append("[")
      for (index, item) in items.enumerated() {
        if index > 0 { buffer.append(",") }
        try appendAnything(item, type: type)
      }
      buffer.append("]")
    case .object(let members):
      buffer.append("{")
      for (index, member) in members.enumerated() {
        if index > 0 { buffer.append(UInt8(ascii: ",")) }
        buffer.append(jsonString: member.name)
        buffer.append(UInt8(ascii: ":"))
        try appendAnything(member.value, type: type)
      }
      buffer.append("}")
    }
  }
}
