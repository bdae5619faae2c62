import Basics
import Foundation

@testable import GraphQL

/// Generates requests by walking a schema. A seed always generates the same requests. Most are valid, but their
/// variables often are not.
struct RequestGenerator {
  private let schema: Schema
  private var random: SeededGenerator
  private var fragments: [(name: String, type: TypeID, body: String, uses: Set<String>)] = []
  private var variables: [(name: String, declaration: String, value: String?)] = []
  private var budget = 0

  init(_ schema: Schema, seed: UInt64) {
    self.schema = schema
    random = SeededGenerator(seed: seed)
  }

  mutating func request() -> ZooRequest {
    fragments = []
    variables = []
    budget = 40
    let isMutation = chance(0.1)
    for index in 0..<Int.random(in: 0...3, using: &random) {
      let composites = schema.types.indices.filter {
        schema.types[$0].isComposite && !schema.types[$0].name.hasPrefix("__")
          && TypeID($0) != schema.mutationType
      }
      guard let type = composites.randomElement(using: &random).map({ TypeID($0) }) else { continue }
      let (body, uses) = selectionSet(type, depth: 2)
      fragments.append(("F\(index)", type, body, uses))
    }
    guard let root = isMutation ? schema.mutationType : schema.queryType else {
      return ZooRequest(document: "{__typename}")
    }
    let (body, used) = selectionSet(root, depth: 0)
    var needed = used
    for fragment in fragments.reversed() where needed.contains(fragment.name) { needed.formUnion(fragment.uses) }
    var text = " " + body
    for fragment in fragments where needed.contains(fragment.name) {
      text += "\nfragment \(fragment.name) on \(schema[fragment.type].name) \(fragment.body)"
    }
    // Variables that occur only in an unused fragment or an omitted default value are not declared.
    let words = text.split { !($0 == "$" || $0 == "_" || $0.isLetter || $0.isNumber) }
    let usedVariables = Set(words.filter { $0.hasPrefix("$") }.map { String($0.dropFirst()) })
    let declared = variables.filter { usedVariables.contains($0.name) }
    if !declared.isEmpty { text = "(" + declared.map(\.declaration).joined(separator: ", ") + ")" + text }
    let given = declared.compactMap { variable in variable.value.map { "\"\(variable.name)\":\($0)" } }
    return ZooRequest(
      document: (isMutation ? "mutation Q" : "query Q") + text,
      variables: declared.isEmpty ? nil : "{" + given.joined(separator: ",") + "}",
      operationName: chance(0.1) ? "Q" : nil
    )
  }

  private mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &random) < share }

  // MARK: Selections

  private mutating func selectionSet(_ type: TypeID, depth: Int) -> (text: String, uses: Set<String>) {
    var lines: [String] = []
    var uses: Set<String> = []
    for _ in 0..<Int.random(in: 1...5, using: &random) {
      budget -= 1
      if chance(0.12), let fragment = fragments.filter({ overlaps($0.type, type) }).randomElement(using: &random) {
        uses.insert(fragment.name)
        lines.append("...\(fragment.name)" + directives())
      } else if chance(0.15) {
        let conditions = schema.types.indices.map { TypeID($0) }.filter { schema[$0].isComposite && overlaps($0, type) }
        let condition = chance(0.2) ? nil : conditions.randomElement(using: &random)
        let (inner, used) = selectionSet(condition ?? type, depth: depth + 1)
        uses.formUnion(used)
        lines.append("..." + (condition.map { " on \(schema[$0].name)" } ?? "") + directives() + " " + inner)
      } else {
        let (line, used) = field(type, depth: depth)
        uses.formUnion(used)
        lines.append(line)
      }
    }
    // Indented, because graphql-core joins a line that starts without indentation to the line before.
    return ("{\n " + lines.joined(separator: "\n ") + "\n }", uses)
  }

  private func overlaps(_ one: TypeID, _ other: TypeID) -> Bool {
    schema[one].possibleTypes.contains { schema.isPossible($0, for: other) }
  }

  private mutating func field(_ type: TypeID, depth: Int) -> (String, Set<String>) {
    let definitions = schema[type].fields.filter {
      !schema[$0.type.type].isComposite || (depth < 5 && budget > 0)
    }
    guard !chance(0.08), let definition = definitions.randomElement(using: &random) else { return ("__typename", []) }
    var arguments: [String] = []
    for argument in definition.arguments where argument.isRequired || chance(0.3) {
      arguments.append("\(argument.name): \(value(argument.type, hasDefault: argument.defaultLiteral != nil))")
    }
    // Fields with equal keys must have equal arguments, so the key is derived from the arguments.
    var text = definition.name
    if !arguments.isEmpty {
      let digest = arguments.joined().utf8.reduce(UInt32(7)) { ($0 &* 31 &+ UInt32($1)) % 9973 }
      text = "\(definition.name)\(digest): \(text)(\(arguments.joined(separator: ", ")))"
    } else if chance(0.1) {
      text = "other_\(definition.name): \(text)"
    }
    text += directives()
    guard schema[definition.type.type].isComposite else { return (text, []) }
    let (inner, uses) = selectionSet(definition.type.type, depth: depth + 1)
    return (text + " " + inner, uses)
  }

  private mutating func directives() -> String {
    var text = ""
    for name in ["skip", "include"] where chance(0.06) {
      let condition =
        chance(0.6) ? variable("Boolean!", value: chance(0.5) ? "true" : "false") : chance(0.5) ? "true" : "false"
      text += " @\(name)(if: \(condition))"
    }
    return text
  }

  // MARK: Values

  private mutating func variable(_ type: String, value: String?, default defaultValue: String? = nil) -> String {
    let name = "v\(variables.count)"
    variables.append((name, "$\(name): \(type)" + (defaultValue.map { " = \($0)" } ?? ""), value))
    return "$\(name)"
  }

  /// A literal or a variable for a value of the type.
  private mutating func value(_ type: TypeReference, hasDefault: Bool = false, depth: Int = 0) -> String {
    if chance(0.25) {
      var given: String? = json(type)
      if chance(0.15) { given = wrong() }
      if chance(0.15) { given = nil }
      if chance(0.1) { given = "null" }
      let defaultValue = chance(0.2) ? literal(type, depth: depth) : nil
      let name = schema.name(of: type)
      // A nullable variable is allowed where there is a default value, and then fails if it is null.
      let declared = hasDefault && type.isNonNull && chance(0.5) ? schema.name(of: type.nullable) : name
      return variable(declared, value: given, default: defaultValue?.contains("$") == true ? nil : defaultValue)
    }
    return literal(type, depth: depth)
  }

  private mutating func literal(_ type: TypeReference, depth: Int) -> String {
    if !type.isNonNull && chance(0.1) { return "null" }
    let type = type.nullable
    if type.isList {
      // A single value is coerced to a list.
      if chance(0.15) { return literal(type.item, depth: depth + 1) }
      let items = (0..<Int.random(in: 0...3, using: &random)).map { _ in value(type.item, depth: depth + 1) }
      return "[" + items.joined(separator: ", ") + "]"
    }
    let definition = schema[type.type]
    switch definition.kind {
    case .inputObject:
      if definition.isOneOf {
        guard let field = definition.inputFields.randomElement(using: &random) else { return "{}" }
        return "{\(field.name): \(literal(field.type.wrappedInNonNull, depth: depth + 1))}"
      }
      let fields = definition.inputFields.filter { $0.isRequired || (depth < 2 && chance(0.4)) }
      return "{"
        + fields.map { "\($0.name): \(value($0.type, hasDefault: $0.defaultLiteral != nil, depth: depth + 1))" }
        .joined(separator: ", ") + "}"
    case .enum: return definition.enumValues.randomElement(using: &random)?.name ?? "null"
    default: return scalar(definition.name)
    }
  }

  private mutating func json(_ type: TypeReference, depth: Int = 0) -> String {
    if !type.isNonNull && chance(0.1) { return "null" }
    if chance(0.03) { return wrong() }
    let type = type.nullable
    if type.isList {
      if chance(0.15) { return json(type.item, depth: depth + 1) }
      return "["
        + (0..<Int.random(in: 0...3, using: &random)).map { _ in json(type.item, depth: depth + 1) }
        .joined(separator: ",") + "]"
    }
    let definition = schema[type.type]
    switch definition.kind {
    case .inputObject:
      var fields = definition.inputFields.filter { $0.isRequired ? !chance(0.1) : depth < 2 && chance(0.4) }
      if definition.isOneOf && !chance(0.1) {
        fields = Array(definition.inputFields.shuffled(using: &random).prefix(1))
      }
      var members = fields.map { "\"\($0.name)\":\(json($0.type, depth: depth + 1))" }
      if chance(0.05) { members.append("\"zzz\":1") }
      return "{" + members.joined(separator: ",") + "}"
    case .enum:
      return chance(0.1) ? "\"PUCE\"" : "\"\(definition.enumValues.randomElement(using: &random)?.name ?? "")\""
    default: return scalar(definition.name)
    }
  }

  private mutating func scalar(_ type: String) -> String {
    switch type {
    case "Int":
      chance(0.03) ? "2147483647" : chance(0.1) ? "-3" : String(Int.random(in: 0...44, using: &random))
    case "Float": ["0.5", "2", "-1.25", "1e3", "100"].randomElement(using: &random) ?? "0"
    case "Boolean": chance(0.5) ? "true" : "false"
    case "ID":
      ["\"cat:3\"", "\"dog:5\"", "\"rock:7\"", "\"cat:77\"", "\"what\"", "12"].randomElement(using: &random) ?? "1"
    default: ["\"a\"", "\"\"", "\"b c\""].randomElement(using: &random) ?? "1"
    }
  }

  private mutating func wrong() -> String {
    ["\"x\"", "1", "2147483648", "1.5", "true", "[]", "{}", "[1]", "{\"a\":\"b\"}", "null", "[null]"]
      .randomElement(using: &random) ?? "1"
  }
}
