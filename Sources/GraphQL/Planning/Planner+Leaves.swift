extension Planner {
  /// The kind of instruction that writes a leaf field, and the constants that it needs.
  mutating func writing(
    of definition: FieldDefinition,
    _ binding: FieldBinding,
    on type: TypeID
  ) -> (WriteOperation.Kind, ConstantRange) {
    let nothing = ConstantRange(start: 0, length: 0)
    let named = schema[definition.type.type]
    guard definition.type.nullable.isNamed else { return (.leafValue, nothing) }
    if case .column(let column) = binding {
      let format = executable.columns[type.index][column]
      if case .enumeration(let names) = format { return (.enumeration, enumeration(names)) }
      return (Self.writing(format, of: named), nothing)
    }
    if named.kind == .enum { return (.text, nothing) }
    guard let format = schema.scalars[definition.type.type.index]?.format else { return (.leafValue, nothing) }
    return (Self.writing(format, of: named), nothing)
  }

  private static func writing(_ format: ColumnFormat, of type: TypeDefinition) -> WriteOperation.Kind {
    switch format {
    case .text, .enumeration: .text
    case .integer, .key: type.name == "Int" ? .int32 : .integer
    case .double: .double
    case .boolean: .boolean
    case .dateTime: .dateTime
    }
  }

  private mutating func enumeration(_ names: [String]) -> ConstantRange {
    if let known = enumerations[names] { return known }
    let start = enumerationNames.count
    for name in names { enumerationNames.append(appendConstant("\"\(name)\"".utf8)) }
    let range = ConstantRange(start: Int32(start), length: Int32(names.count))
    enumerations[names] = range
    return range
  }

  mutating func appendConstant(_ json: some Sequence<UInt8>) -> ConstantRange {
    let start = constants.count
    constants += json
    return ConstantRange(start: Int32(start), length: Int32(constants.count - start))
  }
}
