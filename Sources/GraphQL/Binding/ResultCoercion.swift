import Bytes

/// Coerces leaf values returned by resolvers to cells (specification, section 6.4.3, `CoerceResult`).
enum ResultCoercion {
  static func cell(
    for value: LeafValue,
    of type: TypeReference,
    in schema: Schema,
    _ state: ExecutionState
  ) throws(ResultError) -> Cell {
    if case .null = value { return CellCoding.null }
    let type = type.nullable
    guard type.isNamed else { return boxed(value, state: state) }
    let named = schema[type.type]
    if named.kind == .enum {
      guard case .string(let name) = value, named.enumValueNames.index(of: name) != nil else {
        throw ResultError(value, type: named)
      }
      return state.text(name)
    }
    guard let format = schema.scalars[type.type.index]?.format else { return boxed(value, state: state) }
    switch (format, value) {
    case (.text, .string(let text)): return state.text(text)
    case (.text, .int(let number)): return state.text(String(number))
    case (.text, .boolean(let truth)) where named.name == "String": return state.text(String(truth))
    case (.text, .double(let number)) where named.name == "String" && number.isFinite:
      return state.text(LeafValue.text(number))
    case (.integer, .int(let number)):
      guard named.name != "Int" || Int32(exactly: number) != nil else { throw ResultError(value, type: named) }
      return CellCoding.integer(number)
    case (.integer, .double(let number)):
      guard let whole = Int32(exactly: number) else { throw ResultError(value, type: named) }
      return Int64(whole)
    case (.integer, .boolean(let truth)): return truth ? 1 : 0
    case (.double, .double(let number)) where number.isFinite: return CellCoding.double(number)
    case (.double, .int(let number)): return CellCoding.double(Double(number))
    case (.double, .boolean(let truth)): return CellCoding.double(truth ? 1 : 0)
    case (.boolean, .boolean(let truth)): return truth ? 1 : 0
    case (.dateTime, .int(let milliseconds)) where ByteBuffer.dateTimes.contains(milliseconds): return milliseconds
    default: throw ResultError(value, type: named)
    }
  }

  private static func boxed(_ value: LeafValue, state: ExecutionState) -> Cell {
    state.leafValues.append(value)
    return Cell(state.leafValues.count - 1)
  }
}

/// A resolver returned a value that result coercion rejects. The client receives `message`; `description`, which
/// contains the value, is only logged.
struct ResultError: Error, CustomStringConvertible {
  let description: String
  let message: String

  init(_ value: LeafValue, type: TypeDefinition) {
    message = "\(type.name) cannot represent the value that was found."
    description = "\(type.name) cannot represent value: \(value.shown)"
  }

  init(_ message: String) {
    self.message = message
    description = message
  }
}

extension LeafValue {
  var shown: String {
    switch self {
    case .null: "null"
    case .int(let number): String(number)
    case .double(let number): Self.text(number)
    case .boolean(let truth): String(truth)
    case .string(let text): "\"\(text)\""
    case .list(let items): "[" + items.map(\.shown).joined(separator: ", ") + "]"
    }
  }

  /// The shortest decimal representation that parses to the same number, without a fraction for whole numbers.
  static func text(_ number: Double) -> String {
    if let whole = Int64(exactly: number), whole.magnitude < 1 << 53 { return String(whole) }
    return "\(number)"
  }
}
