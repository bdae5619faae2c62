import Bytes

/// Coerces leaf values returned by resolvers (specification, section 6.4.3, `CoerceResult`): to cells, and items of
/// lists as they are written.
enum ResultCoercion {
  /// A leaf value as its type requires. No payload is a part of the value, so coercion does not retain its string.
  enum Leaf {
    /// The value, which is a string.
    case string
    /// A text made from the value.
    case text(String)
    case integer(Int64)
    case double(Double)
    case boolean(Bool)
    case dateTime(Int64)
    /// The value, which can be any: a custom scalar without a `ColumnFormat`.
    case anything
  }

  /// - Parameter value: Not null.
  @inline(__always)
  static func coerce(
    _ value: LeafValue,
    to type: TypeDefinition,
    format: ColumnFormat?
  ) throws(ResultError) -> Leaf {
    if type.kind == .enum {
      guard case .string(let name) = value, type.enumValueNames.index(of: name) != nil else {
        throw ResultError(value, type: type)
      }
      return .string
    }
    switch (format, value) {
    case (nil, _): return .anything
    case (.text, .string): return .string
    case (.text, .int(let number)): return .text(String(number))
    case (.text, .boolean(let truth)) where type.name == "String": return .text(String(truth))
    case (.text, .double(let number)) where type.name == "String" && number.isFinite:
      return .text(LeafValue.text(number))
    case (.integer, .int(let number)) where type.name != "Int" || Int32(exactly: number) != nil:
      return .integer(number)
    case (.integer, .double(let number)):
      guard let whole = Int32(exactly: number) else { throw ResultError(value, type: type) }
      return .integer(Int64(whole))
    case (.integer, .boolean(let truth)): return .integer(truth ? 1 : 0)
    case (.double, .double(let number)) where number.isFinite: return .double(number)
    case (.double, .int(let number)): return .double(Double(number))
    case (.double, .boolean(let truth)): return .double(truth ? 1 : 0)
    case (.boolean, .boolean(let truth)): return .boolean(truth)
    case (.dateTime, .int(let milliseconds)) where ByteBuffer.dateTimes.contains(milliseconds):
      return .dateTime(milliseconds)
    default: throw ResultError(value, type: type)
    }
  }

  static func cell(
    for value: LeafValue,
    of type: TypeReference,
    in schema: Schema,
    _ state: ExecutionState
  ) throws(ResultError) -> Cell {
    if case .null = value { return CellCoding.null }
    let type = type.nullable
    guard type.isNamed else { return boxed(value, state: state) }
    let format = schema.scalars[type.type.index]?.format
    switch try coerce(value, to: schema[type.type], format: format) {
    case .string:
      guard case .string(let text) = value else { return CellCoding.null }
      return state.text(text)
    case .text(let text): return state.text(text)
    case .integer(let number): return CellCoding.integer(number)
    case .double(let number): return CellCoding.double(number)
    case .boolean(let truth): return truth ? 1 : 0
    case .dateTime(let milliseconds): return milliseconds
    case .anything: return boxed(value, state: state)
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
    case .object(let members): "{" + members.map { "\($0.name): \($0.value.shown)" }.joined(separator: ", ") + "}"
    }
  }

  /// The shortest decimal representation that parses to the same number, without a fraction for whole numbers.
  static func text(_ number: Double) -> String {
    if let whole = Int64(exactly: number), whole.magnitude < 1 << 53 { return String(whole) }
    return "\(number)"
  }
}
