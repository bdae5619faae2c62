import Bytes
import GraphQL
import JSON

/// Any JSON value: of a custom scalar, in the `extensions` of a `GraphQLError`, or of a variable of a
/// `GraphQLExecutor`. Literals of Swift are such values, too.
public enum GraphQLValue: Hashable, Sendable {
  case string(String)
  case int(Int64)
  /// Sent as `null` if it is infinite or not a number.
  case double(Double)
  case boolean(Bool)
  case list([GraphQLValue])
  /// Its members are sent in the order of their names.
  case object([String: GraphQLValue])
  case null
}

extension GraphQLValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
  /// Creates a string from a literal.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Creates an integer from a literal.
  public init(integerLiteral value: Int64) { self = .int(value) }
  /// Creates a number from a literal with a fraction or an exponent.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// Creates a boolean from a literal.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  /// Creates a list from a literal.
  public init(arrayLiteral elements: GraphQLValue...) { self = .list(elements) }
  /// Creates an object from a literal. The last value of a repeated name counts.
  public init(dictionaryLiteral elements: (String, GraphQLValue)...) {
    self = .object(Dictionary(elements) { $1 })
  }
  /// Creates `null` from a literal.
  public init(nilLiteral: ()) { self = .null }
}

extension GraphQLValue {
  /// The members that `extensions` has besides those of the engine, as JSON, each after a comma.
  static func members(_ extensions: [String: GraphQLValue]) -> String {
    let own = extensions.filter { !engineNames.contains($0.key) }
    guard !own.isEmpty else { return "" }
    var output = ByteBuffer(capacity: 256)
    output.append(",")
    write(own, to: &output)
    return output.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
  }

  private static let engineNames: Set = ["code", "retryAfter", "path"]

  /// The value as JSON.
  var json: String {
    var output = ByteBuffer(capacity: 256)
    write(to: &output)
    return output.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
  }

  private func write(to output: inout ByteBuffer) {
    switch self {
    case .string(let text): output.append(jsonString: text)
    case .int(let number): output.append(decimal: number)
    case .double(let number): output.append(Array((number.isFinite ? "\(number)" : "null").utf8))
    case .boolean(let isTrue): output.append(isTrue ? "true" : "false")
    case .null: output.append("null")
    case .list(let items):
      output.append("[")
      for (index, item) in items.enumerated() {
        if index > 0 { output.append(",") }
        item.write(to: &output)
      }
      output.append("]")
    case .object(let members):
      output.append("{")
      Self.write(members, to: &output)
      output.append("}")
    }
  }

  private static func write(_ members: [String: GraphQLValue], to output: inout ByteBuffer) {
    for (index, member) in LeafValue.sorted(members).enumerated() {
      if index > 0 { output.append(",") }
      output.append(jsonString: member.key)
      output.append(":")
      member.value.write(to: &output)
    }
  }
}
