import Bytes
import JSON

/// A JSON text. Printed and read again it says the same, and its numbers are those of the standard library.
enum JSONTarget {
  /// Returns whether the input is JSON.
  static func check(_ input: [UInt8]) throws -> Bool {
    let document: JSONDocument
    do {
      document = try JSONDocument(input)
    } catch {
      try require((0...input.count).contains(error.offset), "The error is at byte \(error.offset) of \(input.count).")
      return false
    }
    try checkValues(document.root, depth: 1)
    let printed = print(document.root)
    let again: JSONDocument
    do {
      again = try JSONDocument(printed)
    } catch {
      throw BrokenProperty(description: "The printed form is rejected: \(error)")
    }
    try require(print(again.root) == printed, "The second printed form differs from the first.")
    try require(isEqual(document.root, again.root), "The printed form says something else.")
    return true
  }

  private static func checkValues(_ value: JSONValue, depth: Int) throws {
    try require(depth <= JSONLimits().depth + 1, "Values are nested \(depth) deep.")
    switch value.kind {
    case .number:
      let text = String(decoding: value.rawBytes, as: UTF8.self)
      let expected = Double(text).flatMap { $0.isFinite ? $0 : nil }
      try require(
        value.double?.bitPattern == expected?.bitPattern,
        "\(text) is read as \(String(describing: value.double))."
      )
      if value.isInteger { try require(value.int64 == Int64(text), "\(text) is not the integer that was read.") }
      if let whole = value.int64, !value.isInteger {
        try require(Double(whole) == value.double, "\(text) is not whole.")
      }
    case .string:
      guard let bytes = value.stringBytes else { throw BrokenProperty(description: "A string has no text.") }
      try require(String(validating: bytes, as: UTF8.self) != nil, "A string is not UTF-8.")
    case .array: for element in elements(of: value) { try checkValues(element, depth: depth + 1) }
    case .object: try checkMembers(of: value, depth: depth)
    case .null, .boolean: break
    }
  }

  private static func checkMembers(of object: JSONValue, depth: Int) throws {
    var keys: Set<[UInt8]> = []
    var repeated: [UInt8]?
    var query: JSONValue?
    for (key, member) in members(of: object) {
      let text = Array(key.stringBytes ?? [])
      if !keys.insert(text).inserted, repeated == nil { repeated = text }
      if text == Array("query".utf8), query == nil { query = member }
      try checkValues(member, depth: depth + 1)
    }
    try require(object.repeatedKey?.stringBytes.map(Array.init) == repeated, "The repeated key is another.")
    try require(object["query"]?.offset == query?.offset, "The member found by its key is another.")
  }

  private static func print(_ value: JSONValue) -> [UInt8] {
    var buffer = ByteBuffer()
    append(value, to: &buffer)
    return buffer.array()
  }

  private static func append(_ value: JSONValue, to buffer: inout ByteBuffer) {
    switch value.kind {
    case .string: append(string: value, to: &buffer)
    case .array:
      buffer.append("[")
      for (index, element) in elements(of: value).enumerated() {
        if index > 0 { buffer.append(",") }
        append(element, to: &buffer)
      }
      buffer.append("]")
    case .object:
      buffer.append("{")
      for (index, member) in members(of: value).enumerated() {
        if index > 0 { buffer.append(",") }
        append(string: member.key, to: &buffer)
        buffer.append(":")
        append(member.value, to: &buffer)
      }
      buffer.append("}")
    case .null, .boolean, .number: buffer.append(value.rawBytes)
    }
  }

  private static func append(string value: JSONValue, to buffer: inout ByteBuffer) {
    (value.stringBytes ?? []).withUnsafeBytes { buffer.append(jsonString: $0) }
  }

  private static func isEqual(_ one: JSONValue, _ other: JSONValue) -> Bool {
    guard one.kind == other.kind else { return false }
    switch one.kind {
    case .null: return true
    case .boolean: return one.bool == other.bool
    case .number: return one.rawBytes == other.rawBytes
    case .string: return one.stringBytes == other.stringBytes
    case .array:
      let (ours, theirs) = (elements(of: one), elements(of: other))
      return ours.count == theirs.count && zip(ours, theirs).allSatisfy(isEqual)
    case .object:
      let (ours, theirs) = (members(of: one), members(of: other))
      return ours.count == theirs.count
        && zip(ours, theirs).allSatisfy { isEqual($0.key, $1.key) && isEqual($0.value, $1.value) }
    }
  }

  private static func elements(of array: JSONValue) -> [JSONValue] {
    guard let elements = array.elements else { return [] }
    return Array(elements)
  }

  private static func members(of object: JSONValue) -> [JSONMembers.Member] {
    guard let members = object.members else { return [] }
    return Array(members)
  }
}
