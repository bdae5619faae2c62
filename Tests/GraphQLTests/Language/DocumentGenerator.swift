import Basics

/// Generates documents from a seed. A seed always generates the same documents.
struct DocumentGenerator {
  private var random: SeededGenerator
  private var depth = 0

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
  private mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
  private mutating func pick(_ choices: [String]) -> String { choices[below(choices.count)] }

  private mutating func several(_ range: ClosedRange<Int>, _ separator: String, _ item: (inout Self) -> String)
    -> String
  {
    (0..<range.lowerBound + below(range.count)).map { _ in item(&self) }.joined(separator: separator)
  }

  private mutating func maybe(_ percent: Int, _ item: (inout Self) -> String) -> String {
    chance(percent) ? item(&self) : ""
  }

  // MARK: Documents

  mutating func document(descriptions: Bool) -> String {
    depth = 0
    let executable = chance(60)
    return several(1...4, pick(["\n", " ", "\n\n# comment\n", ",\r\n"])) {
      executable ? $0.executableDefinition(descriptions) : $0.typeSystemDefinition()
    }
  }

  private mutating func executableDefinition(_ descriptions: Bool) -> String {
    if chance(15) { return selectionSet() }
    let description = descriptions ? maybe(30) { $0.string() + " " } : ""
    if chance(25) {
      return "\(description)fragment \(name()) on \(name())\(directives())\(selectionSet())"
    }
    let variables = maybe(50) {
      "("
        + $0.several(1...3, ", ") { "$\($0.name()): \($0.type())\($0.maybe(40) { " = " + $0.value(constant: true) })" }
        + $0.directives(constant: true) + ")"
    }
    return
      "\(description)\(pick(["query", "mutation", "subscription"])) \(maybe(60) { $0.name() })\(variables)\(directives())\(selectionSet())"
  }

  private mutating func selectionSet() -> String {
    depth += 1
    defer { depth -= 1 }
    return "{" + several(1...3, pick([" ", ", ", "\n  "])) { $0.selection() } + "}"
  }

  private mutating func selection() -> String {
    if depth < 4 && chance(15) { return "...\(maybe(60) { " on " + $0.name() })\(directives())\(selectionSet())" }
    if chance(12) { return "... \(name())\(directives())" }
    let nested = depth < 4 ? maybe(30) { $0.selectionSet() } : ""
    return "\(maybe(15) { $0.name() + ": " })\(name())\(arguments())\(directives())\(nested)"
  }

  private mutating func arguments(constant: Bool = false) -> String {
    maybe(35) { "(" + $0.several(1...4, ", ") { "\($0.name()): \($0.value(constant: constant))" } + ")" }
  }

  private mutating func directives(constant: Bool = false) -> String {
    maybe(20) { $0.several(1...2, "") { " @\($0.name())\($0.arguments(constant: constant))" } } + " "
  }

  private mutating func name() -> String {
    pick([
      "a", "b", "name", "on_", "query", "mutation", "type", "fragment", "input", "id", "_", "__typename", "A1", "true_",
      "aRatherLongNameOfMoreThanSixteenBytes", "schema", "directive", "repeatable", "implements", "extend",
    ])
  }

  private mutating func value(constant: Bool) -> String {
    depth += 1
    defer { depth -= 1 }
    switch below(depth < 6 ? 11 : 8) {
    case 0: return constant ? "null" : "$" + name()
    case 1: return pick(["0", "-0", "1", "-12", "9223372036854775807", "123456789012345678901234567890"])
    case 2: return pick(["0.5", "-1.25", "1e9", "1E-3", "0.0e+0", "123.456e7"])
    case 3, 4: return string()
    case 5: return pick(["true", "false", "null"])
    case 6, 7: return name()
    case 8: return "[" + several(0...3, " ") { $0.value(constant: constant) } + "]"
    default: return "{" + several(0...3, ", ") { "\($0.name()): \($0.value(constant: constant))" } + "}"
    }
  }

  private mutating func string() -> String {
    if chance(40) {
      let parts = several(0...6, "") {
        $0.pick(["a", " ", "\n", "\r\n", "\r", "\t", "  b", "\"", "\\\"\"\"", "\\", "\\n", "é", "🏠", "\n    c", "\n  "])
      }
      // A quote or a backslash at the end would combine with the closing quotes.
      return "\"\"\"\(parts)\(parts.last == "\"" || parts.last == "\\" ? " " : "")\"\"\""
    }
    return "\""
      + several(0...5, "") {
        $0.pick([
          "a", " ", "#", "é", "🏠", "\\n", "\\\"", "\\\\", "\\/", "\\b\\f\\r\\t", "\\u0041", "\\u{1F600}",
          "\\uD83D\\uDE00", "\\u0000", "\\u007F", "\\u{9f}", "\u{7F}", "word",
        ])
      } + "\""
  }

  private mutating func type() -> String {
    let inner = chance(30) ? "[\(type())]" : name()
    return inner + maybe(30) { _ in "!" }
  }

  private mutating func typeSystemDefinition() -> String {
    let isExtension = chance(25)
    let description = isExtension ? "extend " : maybe(30) { $0.string() + " " }
    let interfaces = maybe(30) { " implements " + $0.several(1...3, " & ") { $0.name() } }
    switch below(isExtension ? 7 : 8) {
    case 0:
      let root = several(1...3, " ") { "\($0.pick(["query", "mutation", "subscription"])): \($0.name())" }
      return "\(description)schema\(directives(constant: true)){ \(root) }"
    case 1: return "\(description)scalar \(name())\(directives(constant: true))"
    case 2: return "\(description)type \(name())\(interfaces)\(directives(constant: true))\(fields())"
    case 3: return "\(description)interface \(name())\(interfaces)\(directives(constant: true))\(fields())"
    case 4:
      let members = maybe(80) { " = \($0.maybe(20) { _ in "|" })" + $0.several(1...3, " | ") { $0.name() } }
      return "\(description)union \(name())\(directives(constant: true))\(members)"
    case 5:
      let values = maybe(80) {
        "{" + $0.several(1...3, " ") { "\($0.described())\($0.name())\($0.directives(constant: true))" } + "}"
      }
      return "\(description)enum \(name())\(directives(constant: true))\(values)"
    case 6:
      let inputs = maybe(80) { "{" + $0.several(1...3, " ") { $0.inputValue() } + "}" }
      return "\(description)input \(name())\(directives(constant: true))\(inputs)"
    default:
      let locations = several(1...3, " | ") { $0.pick(["FIELD", "QUERY", "OBJECT", "ENUM_VALUE", "SCHEMA"]) }
      let definitions = maybe(50) { "(" + $0.several(1...3, ", ") { $0.inputValue() } + ")" }
      return "\(description)directive @\(name())\(definitions)\(maybe(30) { _ in " repeatable" }) on \(locations)"
    }
  }

  private mutating func described() -> String { maybe(20) { $0.string() + " " } }

  private mutating func fields() -> String {
    maybe(85) {
      "{"
        + $0.several(1...3, "\n") {
          let arguments = $0.maybe(40) { "(" + $0.several(1...3, ", ") { $0.inputValue() } + ")" }
          return "\($0.described())\($0.name())\(arguments): \($0.type())\($0.directives(constant: true))"
        } + "}"
    }
  }

  private mutating func inputValue() -> String {
    let defaultValue = maybe(30) { " = " + $0.value(constant: true) }
    return "\(described())\(name()): \(type())\(defaultValue)\(directives(constant: true))"
  }

  // MARK: Mutations

  /// Replaces a few bytes or short ranges of a document with text that is likely to be invalid.
  mutating func mutate(_ document: [UInt8]) -> [UInt8] {
    var bytes = document
    for _ in 0...below(3) {
      let at = below(bytes.count + 1)
      let end = min(bytes.count, at + 1 + below(6))
      switch below(5) {
      case 0: bytes.removeSubrange(at..<end)
      case 1: bytes.insert(contentsOf: bytes[at..<end], at: below(bytes.count + 1))
      case 2 where at < bytes.count: bytes[at] = UInt8(truncatingIfNeeded: random.next())
      case 3: bytes.removeSubrange(at...)
      default:
        let piece = pick([
          "{", "}", "(", ")", "[", "]", "\"", "\"\"\"", "\\", "\\u", "\\u{", "\\uD83D", "$", "@", "!", "=", "|", "&",
          ":",
          ".", "..", "...", "#", ",", "\n", "\r", "-", "0", "1", ".5", "e", "_", "'", "\u{0}", "\u{7}", "\u{FEFF}", "é",
          "🏠", " on ", " extend ", " true ", " null ", "\"d\" ", " query ", " type ", " repeatable ",
        ])
        bytes.insert(contentsOf: Array(piece.utf8), at: at)
      }
    }
    return bytes
  }
}
