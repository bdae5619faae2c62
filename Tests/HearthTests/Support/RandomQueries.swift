import Basics
import GraphQL

/// Random queries of the whole schema, the same for the same seed.
struct RandomQueries {
  private static let words = ["", "a", "ada", "feed cat", "\"lovelace\"", "zürich"]
  /// A field that creates something each time.
  private static let omitted = ["signInCode"]

  private let schema: Schema
  private var random: SeededGenerator
  /// Ids for arguments.
  var ids: [String]
  private var fieldCount = 0
  private var budget = 0

  init(_ schema: Schema, ids: [String], seed: UInt64) {
    self.schema = schema
    self.ids = ids
    random = SeededGenerator(seed: seed)
  }

  mutating func next() -> String {
    fieldCount = 0
    budget = 30
    return selectionSet(schema.queryType, depth: 0)
  }

  private mutating func selectionSet(_ type: TypeID, depth: Int) -> String {
    var selections: [String] = []
    if schema[type].isAbstract {
      selections.append("__typename")
      for possible in schema[type].possibleTypes.shuffled(using: &random).prefix(4) {
        selections.append("... on \(schema[possible].name) \(selectionSet(possible, depth: depth + 1))")
      }
    } else {
      for _ in 0..<Int.random(in: 1...5, using: &random) {
        if let field = field(type, depth) { selections.append(field) }
      }
    }
    return "{ " + (selections.isEmpty ? "__typename" : selections.joined(separator: " ")) + " }"
  }

  private mutating func field(_ type: TypeID, _ depth: Int) -> String? {
    let fields = schema[type].fields.filter { field in
      !Self.omitted.contains(field.name) && (!schema[field.type.type].isComposite || (depth < 7 && budget > 0))
    }
    guard let field = fields.randomElement(using: &random) else { return nil }
    var arguments: [String] = []
    for argument in field.arguments where argument.isRequired || Bool.random(using: &random) {
      if let value = value(of: argument) {
        arguments.append("\(argument.name): \(value)")
      } else if argument.isRequired {
        return nil
      }
    }
    budget -= 1
    fieldCount += 1
    // Each field has a response key of its own, so that no two of them conflict.
    var text = "f\(fieldCount): \(field.name)"
    if !arguments.isEmpty { text += "(\(arguments.joined(separator: ", ")))" }
    if schema[field.type.type].isComposite { text += " " + selectionSet(field.type.type, depth: depth + 1) }
    return text
  }

  /// Nil for arguments that need more than this knows.
  private mutating func value(of argument: InputValueDefinition) -> String? {
    let definition = schema[argument.type.type]
    switch (argument.name, definition.name) {
    case ("after", _): return nil
    case ("ids", _): return "[" + (0..<3).map { _ in id() }.joined(separator: ", ") + "]"
    case (_, "ID"): return id()
    case ("query", _): return Value.string(Self.words.randomElement(using: &random) ?? "").text
    case (_, "Int"): return String(Int.random(in: 0...12, using: &random))
    case (_, "Boolean"): return String(Bool.random(using: &random))
    default:
      guard definition.kind == .enum, let name = definition.enumValues.randomElement(using: &random)?.name else {
        return nil
      }
      return argument.type.nullable.isList ? "[\(name)]" : name
    }
  }

  private mutating func id() -> String { Value.string(ids.randomElement(using: &random) ?? "none").text }
}
