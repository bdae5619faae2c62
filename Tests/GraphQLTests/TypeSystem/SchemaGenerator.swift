import Basics

/// Generates type system documents from a seed. A seed always generates the same documents. Most of them are invalid.
struct SchemaGenerator {
  private var random: SeededGenerator
  /// The percentage of choices that are made without regard to validity.
  private var carelessness = 0
  private var isExtension = false

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  private mutating func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
  private mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
  private mutating func pick(_ choices: [String]) -> String { choices[below(choices.count)] }
  private mutating func careless() -> Bool { chance(carelessness) }

  private static let objects = ["Query", "A", "B", "C"]
  private static let interfaces = ["I", "J"]
  private static let unions = ["U"]
  private static let enums = ["E"]
  private static let inputs = ["P", "Q"]
  private static let scalars = ["S", "Int", "String", "ID", "Boolean", "Float"]
  private static let anything = objects + interfaces + unions + enums + inputs + scalars + ["Nothing", "__Type"]

  mutating func document() -> String {
    carelessness = [0, 0, 2, 6][below(4)]
    var definitions: [String] = []
    for name in Self.objects { definitions.append(fields("type", name)) }
    for name in Self.interfaces { definitions.append(fields("interface", name)) }
    definitions.append("\(description())union U\(directives("UNION")) = \(members())")
    definitions.append("\(description())enum E\(directives("ENUM")) { \(enumValues()) }")
    for name in Self.inputs { definitions.append(input(name)) }
    definitions.append("scalar S\(chance(30) ? " @specifiedBy(url: \"https://example.com\")" : "")")
    definitions.append(
      "directive @on(a: Int, b: [String!] = [\"x\"]) \(chance(50) ? "repeatable " : "")on OBJECT | ENUM"
    )
    definitions.append("directive @too on INTERFACE")
    if chance(50) { definitions.append(schemaDefinition()) }
    if careless() { definitions.append(schemaDefinition()) }
    for _ in 0..<3 where chance(30) { definitions.append(typeExtension()) }
    for _ in 0..<2 where careless() { definitions.append(definitions[below(definitions.count)]) }
    if careless() { definitions.remove(at: below(definitions.count)) }
    for index in definitions.indices.reversed() where index > 0 {
      if chance(50) { definitions.swapAt(index, below(index + 1)) }
    }
    return definitions.joined(separator: "\n")
  }

  private mutating func schemaDefinition() -> String {
    let mutation = chance(60) ? " mutation: \(careless() ? pick(Self.anything) : "A")" : ""
    return
      "\(description())schema { query: \(careless() ? pick(Self.anything) : "Query")\(mutation)\(careless() ? mutation : "") }"
  }

  private mutating func typeExtension() -> String {
    isExtension = true
    defer { isExtension = false }
    switch below(4) {
    case 0: return "extend type \(careless() ? pick(Self.anything) : pick(Self.objects)) { more: Int }"
    case 1: return "extend enum E { MORE\(careless() ? " A" : "") }"
    case 2: return "extend input \(careless() ? "A" : pick(Self.inputs)) { more: \(inputType()) }"
    default: return "extend interface \(careless() ? "J" : "I") @\(careless() ? "on" : "too")"
    }
  }

  // MARK: Types

  /// Object and interface types use the same few fields, so most implementations are valid.
  private mutating func fields(_ keyword: String, _ name: String) -> String {
    var interfaces: [String] = []
    if name == "J" || name == "A" || name == "B" { interfaces.append("I") }
    if name == "B" { interfaces.append("J") }
    if careless() { interfaces.append(pick(Self.anything)) }
    if careless() { interfaces = Array(interfaces.dropFirst()) }
    let implemented = interfaces.isEmpty ? "" : " implements \(interfaces.joined(separator: " & "))"
    var members: [String] = []
    if !careless() {
      members.append("\(description())id(first: Int = 1): ID\(chance(50) && keyword == "type" ? "!" : "")")
    }
    if !careless() {
      members.append("own(of: \(careless() ? inputType() : "[P!]")): \(keyword == "type" ? pick(["I", "A"]) : "I")")
    }
    for letter in ["a", "b", "c"] where keyword == "type" ? chance(40) : careless() {
      members.append(
        "\(description())\(careless() ? "__" : "")\(letter)\(name)\(arguments()): \(outputType())\(deprecated())"
      )
    }
    if careless() { members.append("id: Int") }
    if members.isEmpty && !careless() { members.append("only: Int") }
    let directives = keyword == "type" ? directives("OBJECT") : ""
    return "\(description())\(keyword) \(name)\(implemented)\(directives)"
      + (members.isEmpty ? "" : " {\n  \(members.joined(separator: "\n  "))\n}")
  }

  private mutating func arguments() -> String {
    guard chance(40) else { return "" }
    var arguments = ["x: \(inputType())\(deprecated())"]
    if chance(50) { arguments.append("\(description())y: Int! = 3\(deprecated())") }
    if chance(30) { arguments.append("z: E = A") }
    if careless() { arguments.append("x: Int") }
    if careless() { arguments.append("w: Int! @deprecated") }
    return "(\(arguments.joined(separator: ", ")))"
  }

  private mutating func input(_ name: String) -> String {
    var members = ["n: Int = 1\(deprecated())", "s: String\(chance(30) ? " = \"text\"" : "")"]
    if chance(50) { members.append("other: \(careless() ? "P!" : pick(["Q", "[P!]!", "[Q]"]))") }
    if careless() { members.append("wrong: \(pick(Self.anything))") }
    if careless() { members.append("needed: Int! @deprecated") }
    if careless() { members.append("n: Int") }
    let oneOf = chance(10)
    if oneOf { members = ["n: Int", "s: String\(careless() ? "!" : "")"] + (careless() ? ["d: Int = 1"] : []) }
    return "\(description())input \(name)\(oneOf ? " @oneOf" : "") { \(members.joined(separator: " ")) }"
  }

  private mutating func members() -> String {
    (["A"] + (chance(50) ? ["B"] : []) + (careless() ? ["A"] : []) + (careless() ? [pick(Self.anything)] : []))
      .joined(separator: " | ")
  }

  private mutating func enumValues() -> String {
    (["A", "B\(deprecated())"] + (careless() ? ["A"] : []) + (careless() ? ["__C"] : [])).joined(separator: " ")
  }

  private mutating func outputType() -> String {
    wrapped(
      careless() ? pick(Self.anything) : pick(Self.objects + Self.interfaces + Self.unions + Self.enums + Self.scalars)
    )
  }

  private mutating func inputType() -> String {
    wrapped(careless() ? pick(Self.anything) : pick(Self.enums + Self.inputs + Self.scalars))
  }

  private mutating func wrapped(_ name: String) -> String {
    switch below(6) {
    case 0: "[\(name)]"
    case 1: "[\(name)!]"
    case 2: "[[\(name)!]]"
    default: name
    }
  }

  // MARK: Pieces

  private mutating func description() -> String {
    chance(25) ? pick(["\"One line.\" ", "\"\"\"\nTwo\n  lines.\n\"\"\"\n", "\"Odd: \\t\\\" \\u00e9 🏠\" "]) : ""
  }

  private mutating func deprecated() -> String {
    if careless() { return pick([" @deprecated(why: 1)", " @nothing", " @deprecated @deprecated", " @on"]) }
    return chance(8) && !isExtension ? pick([" @deprecated", " @deprecated(reason: \"Old.\")"]) : ""
  }

  private mutating func directives(_ location: String) -> String {
    if careless() { return pick([" @on @on", " @nothing", " @on(c: 1)", " @specifiedBy"]) }
    return location != "UNION" && chance(20) ? " @on(a: 1)" : ""
  }
}
