extension Planner {
  /// The instruction that writes a leaf field.
  /// - Parameter source: The column of the row or, if the field is computed, the slot of the call.
  mutating func leaf(_ field: BoundField, isComputed: Bool, source: Int, key: ConstantRange) -> WriteOperation {
    let type = field.type
    var operand = ConstantRange(start: 0, length: 0)
    let kind: WriteOperation.Kind
    switch field.format {
    case nil: kind = .leafValue
    case .enumeration(let names):
      kind = .enumeration
      operand = enumeration(of: names, for: type.type)
    case .text: kind = .text
    case .integer, .key: kind = schema.index.types[type.type.index].literal == .int ? .int32 : .integer
    case .double: kind = .double
    case .boolean: kind = .boolean
    case .dateTime: kind = .dateTime
    }
    return operation(
      kind,
      isComputed: isComputed,
      source: source,
      isNullable: !type.isNonNull,
      isFree: field.isFree,
      key: key,
      operand: operand
    )
  }

  /// - Parameter names: The names of the values of the enum type, in the order that every column of the type has.
  private mutating func enumeration(of names: [String], for type: TypeID) -> ConstantRange {
    if let known = enumerations[type] { return known }
    let start = enumerationNames.count
    for name in names { enumerationNames.append(appendConstant("\"\(name)\"".utf8)) }
    let range = ConstantRange(start: Int32(start), length: Int32(names.count))
    enumerations[type] = range
    return range
  }

  mutating func appendConstant(_ json: some Sequence<UInt8>) -> ConstantRange {
    let start = constants.count
    constants += json
    return ConstantRange(start: Int32(start), length: Int32(constants.count - start))
  }
}
