import Basics
import Foundation
import JSON
import Testing

/// Compares the parser with Foundation's.
@Suite("JSONDocument and JSONSerialization")
struct DifferentialTests {
  @Test func `read the same from random texts`() throws {
    var generator = SeededGenerator(seed: 4711)
    for _ in 0..<2000 {
      let text = Self.text(depth: 5, using: &generator)
      let ours = try JSONDocument(Array(text.utf8)).root
      let theirs = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
      #expect(Self.agree(ours, theirs), "\(text)")
    }
  }

  /// A random value, keys of an object all different.
  private static func text(depth: Int, using generator: inout SeededGenerator) -> String {
    let space = ["", "", " ", "\n\t"][Int.random(in: 0..<4, using: &generator)]
    switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &generator) {
    case 0: return "null"
    case 1: return Bool.random(using: &generator) ? "true" : "false"
    case 2: return "\(Int64.random(in: Int64.min...Int64.max, using: &generator))"
    case 3: return "\(Int.random(in: -999...999, using: &generator)).\(Int.random(in: 0...99999, using: &generator))"
    case 4, 5: return string(using: &generator)
    case 6, 7:
      let elements = (0..<Int.random(in: 0...6, using: &generator)).map { _ in text(depth: depth - 1, using: &generator)
      }
      return "[\(space)\(elements.joined(separator: "\(space),\(space)"))\(space)]"
    default:
      let members = (0..<Int.random(in: 0...6, using: &generator)).map { index in
        "\"k\(index)\"\(space):\(space)\(text(depth: depth - 1, using: &generator))"
      }
      return "{\(space)\(members.joined(separator: "\(space),\(space)"))\(space)}"
    }
  }

  private static func string(using generator: inout SeededGenerator) -> String {
    let parts = [
      "a", "plain text", "\\n", "\\\"", "\\\\", "\\/", "\\u00e9", "\\ud83d\\udc22", "ż", "€", "🐢", "12345678",
    ]
    let count = Int.random(in: 0...8, using: &generator)
    return "\"\((0..<count).map { _ in parts[Int.random(in: 0..<parts.count, using: &generator)] }.joined())\""
  }

  private static func agree(_ ours: JSONValue, _ theirs: Any) -> Bool {
    switch ours.kind {
    case .null: return theirs is NSNull
    case .boolean: return ours.bool == (theirs as? NSNumber)?.boolValue
    case .number:
      guard let number = theirs as? NSNumber else { return false }
      return ours.isInteger ? ours.int64 == number.int64Value : ours.double == number.doubleValue
    case .string: return ours.string == theirs as? String
    case .array:
      guard let array = theirs as? [Any], let elements = ours.elements.map(Array.init) else { return false }
      return array.count == elements.count && zip(elements, array).allSatisfy { agree($0, $1) }
    case .object:
      guard let object = theirs as? [String: Any], let members = ours.members.map(Array.init) else { return false }
      return object.count == members.count
        && members.allSatisfy { member in
          guard let key = member.key.string, let value = object[key] else { return false }
          return agree(member.value, value)
        }
    }
  }
}
