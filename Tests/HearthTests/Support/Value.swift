import Foundation

/// JSON, to be compared whole and looked into by path.
enum Value: Hashable, Sendable {
  case null
  case boolean(Bool)
  case number(Double)
  case string(String)
  case array([Value])
  case object([String: Value])

  init(_ bytes: [UInt8]) throws {
    self = try JSONDecoder().decode(Value.self, from: Data(bytes))
  }

  /// The value at a path such as `data.family.children.0.name`; null if there is none.
  subscript(_ path: String) -> Value {
    path.split(separator: ".").reduce(self) { value, step in
      switch value {
      case .object(let members): members[String(step)] ?? .null
      case .array(let items): Int(step).flatMap { items.indices.contains($0) ? items[$0] : nil } ?? .null
      default: .null
      }
    }
  }

  var string: String? { if case .string(let text) = self { text } else { nil } }
  var int: Int? { if case .number(let number) = self { Int(exactly: number) } else { nil } }
  var boolean: Bool? { if case .boolean(let truth) = self { truth } else { nil } }
  var list: [Value] { if case .array(let items) = self { items } else { [] } }
  var strings: [String] { list.compactMap(\.string) }

  /// The member of each item of a list.
  func each(_ path: String) -> [Value] { list.map { $0[path] } }

  var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}

extension Value: Codable {
  /// The frequent first: what turns out to be something else is an error that is thrown, and Swift Testing notes where
  /// each came from, which took half the time of tests that read much.
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let text = try? container.decode(String.self) {
      self = .string(text)
    } else if let members = try? container.decode([String: Value].self) {
      self = .object(members)
    } else if let items = try? container.decode([Value].self) {
      self = .array(items)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else {
      self = .boolean(try container.decode(Bool.self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .boolean(let truth): try container.encode(truth)
    case .number(let number):
      if let whole = Int64(exactly: number) { try container.encode(whole) } else { try container.encode(number) }
    case .string(let text): try container.encode(text)
    case .array(let items): try container.encode(items)
    case .object(let members): try container.encode(members)
    }
  }
}

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral,
  ExpressibleByStringInterpolation
{
  init(stringLiteral text: String) { self = .string(text) }
  init(integerLiteral number: Int) { self = .number(Double(number)) }
  init(floatLiteral number: Double) { self = .number(number) }
  init(booleanLiteral truth: Bool) { self = .boolean(truth) }
  init(nilLiteral: ()) { self = .null }
  init(arrayLiteral items: Value...) { self = .array(items) }
  init(dictionaryLiteral members: (String, Value)...) { self = .object(Dictionary(uniqueKeysWithValues: members)) }

  init(_ texts: [String]) { self = .array(texts.map(Value.string)) }

  func setting(_ name: String, _ value: Value) -> Value {
    guard case .object(var members) = self else { return self }
    members[name] = value
    return .object(members)
  }

  func merging(_ other: Value) -> Value {
    guard case .object(let members) = self, case .object(let more) = other else { return other }
    return .object(members.merging(more) { _, new in new })
  }
}

extension Value: CustomStringConvertible {
  var description: String { text }
}
