import GraphQL

@testable import Hearth

/// What the schema says there is to be asked, and documents that ask it: made from it, so that nothing is forgotten.
struct SchemaCoordinates {
  let schema: Schema

  init() throws { schema = try HearthSchema.executable().schema }

  /// A way from something that has an id of its own to the objects of a type.
  struct Way {
    /// The type whose ids are asked for; nil where the way begins at the search.
    let start: String?
    /// The fields from there on.
    let fields: [String]
  }

  var objects: [TypeDefinition] { schema.types.filter { $0.kind == .object && !$0.name.hasPrefix("__") } }

  func name(of field: FieldDefinition) -> String { schema[field.type.type].name }

  func implements(_ type: TypeDefinition, _ interface: String) -> Bool {
    type.interfaces.contains { schema[$0].name == interface }
  }

  var nodes: [String] { objects.filter { implements($0, "Node") }.map(\.name) }

  /// The ways to each type that has one: the shortest. What only mutations give has none.
  var ways: [String: Way] {
    var found = Dictionary(uniqueKeysWithValues: nodes.map { ($0, Way(start: $0, fields: [])) })
    found["SearchResultConnection"] = Way(start: nil, fields: [])
    var queue = nodes + ["SearchResultConnection"]
    var place = 0
    while place < queue.count {
      let type = queue[place]
      place += 1
      guard let way = found[type], let id = schema.type(named: type) else { continue }
      for field in schema[id].fields where !field.arguments.contains(where: \.isRequired) {
        let next = schema[field.type.type]
        guard next.kind == .object, found[next.name] == nil else { continue }
        found[next.name] = Way(start: way.start, fields: way.fields + [field.name])
        queue.append(next.name)
      }
    }
    return found
  }

  /// A document with `$ids`, or none for the search, that asks one field.
  func document(_ way: Way, _ field: FieldDefinition) -> String {
    let arguments = field.name == "child" ? "(id: $child)" : ""
    let variable = arguments.isEmpty ? "" : ", $child: ID!"
    let asked = field.name + arguments + selection(of: field.type.type, depth: 1)
    let inner = way.fields.reversed().reduce(asked) { "\($1) { \($0) }" }
    guard let start = way.start else { return "{ search(query: \"\(AuthorisationWorld.mark)\") { \(inner) } }" }
    return "query ($ids: [ID!]!\(variable)) { nodes(ids: $ids) { ... on \(start) { \(inner) } } }"
  }

  /// All leaves of a type, and those below what has them a step further on.
  func selection(of id: TypeID, depth: Int) -> String {
    let type = schema[id]
    switch type.kind {
    case .object, .interface:
      let listing = type.name.hasSuffix("Connection") || type.name.hasSuffix("Edge") || depth > 1
      let fields = type.fields.filter { field in
        !field.arguments.contains(where: \.isRequired) && (schema[field.type.type].isLeaf || (listing && depth > 0))
      }
      let names = fields.map { $0.name + selection(of: $0.type.type, depth: depth - 1) }
      return " { __typename \(names.joined(separator: " ")) }"
    case .union:
      let members = type.possibleTypes.map { "... on \(schema[$0].name)\(selection(of: $0, depth: depth))" }
      return " { __typename \(members.joined(separator: " ")) }"
    default: return ""
    }
  }

  // MARK: Mutations

  var mutations: [FieldDefinition] { schema.mutationType.map { schema[$0].fields } ?? [] }

  func document(_ mutation: FieldDefinition) -> String {
    let variables = mutation.arguments.map { "$\($0.name): \(schema.name(of: $0.type))" }.joined(separator: ", ")
    let arguments = mutation.arguments.map { "\($0.name): $\($0.name)" }.joined(separator: ", ")
    let declared = variables.isEmpty ? "" : "(\(variables))"
    let given = arguments.isEmpty ? "" : "(\(arguments))"
    return "mutation \(declared) { \(mutation.name)\(given)\(selection(of: mutation.type.type, depth: 2)) }"
  }

  /// The paths of all ids that a mutation takes, with 0 for places in lists.
  func ids(of mutation: FieldDefinition) -> [String] { mutation.arguments.flatMap { ids(in: $0) } }

  private func ids(in input: InputValueDefinition) -> [String] {
    let type = schema[input.type.type]
    let path = input.name + (input.type.isList ? ".0" : "")
    if type.name == "ID" { return [path] }
    return type.inputFields.flatMap { ids(in: $0) }.map { "\(path).\($0)" }
  }
}
