import Bytes

/// Writes an introspection field below which fields fail, with their errors. This is rare, so it may take longer than
/// `IntrospectionWriter`.
extension ResponseWriter {
  mutating func writePartialIntrospection(_ operation: UnsafePointer<WriteOperation>) -> Bool {
    let result = plan.partialIntrospections[operation.pointee.partialIntrospection]
    path.append(operation.pointee.field)
    let isNullable = operation.pointee.isNullable
    let isWritten = writeObject(of: result, set: result.set, row: result.row, isNullable: isNullable)
    path.removeLast()
    return isWritten
  }

  /// - Parameter row: The row of the object in the introspection table; nil for null.
  private mutating func writeObject(
    of result: PartialIntrospection,
    set: Int,
    row: Int?,
    isDeprecated: Bool = false,
    isNullable: Bool
  ) -> Bool {
    guard let row else {
      buffer.append("null")
      return true
    }
    if isOverfull || isTooLong(adding: 0) {
      giveUp(adding: 0)
      return false
    }
    let start = buffer.count
    buffer.append(UInt8(ascii: "{"))
    for (position, field) in result.sets[set].enumerated() {
      if position > 0 { buffer.append(UInt8(ascii: ",")) }
      // A response key is a Name, which never needs escaping.
      buffer.append(UInt8(ascii: "\""))
      buffer.append(field.selected.responseKey)
      buffer.append("\":")
      path.append(field.index)
      let isWritten = writeField(field, of: result, row: row, isDeprecated: isDeprecated)
      path.removeLast()
      if !isWritten {
        rollBack(to: start)
        return writeNull(ifNullable: isNullable)
      }
    }
    buffer.append(UInt8(ascii: "}"))
    return true
  }

  private mutating func writeField(
    _ field: PartialIntrospection.Field,
    of result: PartialIntrospection,
    row: Int,
    isDeprecated: Bool
  ) -> Bool {
    let isNullable = !field.type.isNonNull
    if let error = field.failure {
      report(FieldFailure(error), field: field.index)
      return writeNull(ifNullable: isNullable)
    }
    if let constant = field.selected.constant, field.selected.step == nil || !isDeprecated {
      buffer.append(constant)
      return true
    }
    guard let step = field.selected.step else { return writeNull(ifNullable: isNullable) }
    let value = result.table.values[row + Int(step.column)]
    switch step.kind {
    case .leaf:
      result.append(value, to: &buffer)
      return true
    case .object:
      let row = value.isNull ? nil : Int(value.start)
      return writeObject(of: result, set: Int(step.set), row: row, isNullable: isNullable)
    case .list: return writeElements(value, by: step, of: result, type: field.type)
    }
  }

  /// - Parameter type: The type of the list.
  private mutating func writeElements(
    _ value: IntrospectionTable.Value,
    by step: IntrospectionSelections.Step,
    of result: PartialIntrospection,
    type: TypeReference
  ) -> Bool {
    guard !value.isNull else {
      buffer.append("null")
      return true
    }
    let start = buffer.count
    buffer.append(UInt8(ascii: "["))
    var count = 0
    for position in Int(value.start)..<Int(value.start) + Int(value.length) {
      let element = result.table.elements[position]
      guard step.includesDeprecated || !element.isDeprecated else { continue }
      if count > 0 { buffer.append(UInt8(ascii: ",")) }
      path.append(Int32(truncatingIfNeeded: -1 - count))
      let isWritten = writeObject(
        of: result,
        set: Int(step.set),
        row: Int(element.row),
        isDeprecated: element.isDeprecated,
        isNullable: !type.item.isNonNull
      )
      path.removeLast()
      if !isWritten {
        rollBack(to: start)
        return writeNull(ifNullable: !type.isNonNull)
      }
      count += 1
    }
    buffer.append(UInt8(ascii: "]"))
    return true
  }
}
