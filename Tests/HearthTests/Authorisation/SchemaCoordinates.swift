import GraphQL

@testable import Hearth

/// The coordinates of the schema, and documents that query them, generated from it so that nothing is forgotten.
struct SchemaCoordinates {
  /// A field in a document, once for each value of its arguments.
  struct Asked {
    let alias: String
    let text: String
  }

  let schema: Schema
  /// By the coordinate of an argument that takes an id: one that finds something.
  let ids: [String: String]
  /// Cached, because every object that is read looks it up.
  private var asked: [String: [Asked]] = [:]
  private var nodeTypes: Set<String> = []

  init(ids: [String: String] = [:]) throws {
    schema = try HearthSchema.executable().schema
    self.ids = ids
    for type in objects { for field in type.fields { asked["\(type.name).\(field.name)"] = ask(field, of: type) } }
    nodeTypes = Set(schema.types.filter(hasID).map(\.name))
  }

  var objects: [TypeDefinition] { schema.types.filter { $0.kind == .object && !$0.name.hasPrefix("__") } }

  func object(_ name: String) -> TypeDefinition? { schema.type(named: name).map { schema[$0] } }

  /// Objects that can be loaded by id.
  func isNode(_ type: TypeDefinition) -> Bool { nodeTypes.contains(type.name) }

  private func hasID(_ type: TypeDefinition) -> Bool {
    let possible = possibleTypes(of: type)
    return !possible.isEmpty && possible.allSatisfy { $0.interfaces.contains { schema[$0].name == "Node" } }
  }

  var nodes: [TypeDefinition] { objects.filter(isNode) }

  private func possibleTypes(of type: TypeDefinition) -> [TypeDefinition] {
    type.kind == .object ? [type] : type.possibleTypes.map { schema[$0] }
  }

  /// The objects that can be reached from one.
  func reached(from root: String) -> Set<String> {
    var found: Set<String> = []
    var queue = [root]
    while let name = queue.popLast() {
      guard found.insert(name).inserted, let type = object(name) else { continue }
      queue += type.fields.flatMap { possibleTypes(of: schema[$0.type.type]) }.filter { $0.kind == .object }.map(\.name)
    }
    return found
  }

  // MARK: Documents

  func document(forEach type: TypeDefinition) -> String {
    "query ($ids: [ID!]!) { nodes(ids: $ids) { __typename ... on \(type.name)\(selection(of: type)) } }"
  }

  /// All fields of an object, with what lies in it, and of other things with ids the fields that have no fields.
  func selection(of type: TypeDefinition) -> String {
    let fields = type.fields.flatMap { field in
      asked(type, field).map { $0.text + selection(below: field.type.type) }
    }
    return " { __typename \(fields.joined(separator: " ")) }"
  }

  func selection(below id: TypeID) -> String {
    let type = schema[id]
    if type.isLeaf { return "" }
    if !isNode(type) {
      if type.kind == .object { return selection(of: type) }
      let members = possibleTypes(of: type).map { "... on \($0.name)\(selection(of: $0))" }
      return " { __typename \(members.joined(separator: " ")) }"
    }
    let members = possibleTypes(of: type).map { member in
      let leaves = member.fields.filter { $0.arguments.isEmpty && schema[$0.type.type].isLeaf }
      let asked = leaves.map { type.isAbstract ? "\(Self.alias($0, of: member)): \($0.name)" : $0.name }
      return "... on \(member.name) { id \(asked.joined(separator: " ")) }"
    }
    return " { __typename \(members.joined(separator: " ")) }"
  }

  /// A single field, once for each value of its arguments.
  func alone(_ field: FieldDefinition, of type: TypeDefinition) -> [String] {
    asked(type, field).map { $0.text + selection(below: field.type.type) }
  }

  /// In a selection for several types, which may have fields of the same name and of another type.
  static func alias(_ field: FieldDefinition, of type: TypeDefinition) -> String { "\(type.name)_\(field.name)" }

  /// A field with its required arguments, and again with each value that the lines of its arguments list.
  func asked(_ type: TypeDefinition, _ field: FieldDefinition) -> [Asked] {
    asked["\(type.name).\(field.name)"] ?? []
  }

  private func ask(_ field: FieldDefinition, of type: TypeDefinition) -> [Asked] {
    let needed = field.arguments.filter(\.isRequired).map { argument in
      let coordinate = "\(type.name).\(field.name)(\(argument.name):)"
      let id = ids[coordinate].map { argument.type.isList ? "[\"\($0)\"]" : "\"\($0)\"" }
      return "\(argument.name): \(id ?? ArgumentLine.values(coordinate).first ?? "null")"
    }
    var asked = [Asked(alias: field.name, text: field.name + Self.list(needed))]
    for argument in arguments(of: type, field) where !argument.isRequired {
      for (index, value) in ArgumentLine.values(argument.coordinate).enumerated() {
        let alias = "\(field.name)_\(argument.path.joined(separator: "_"))_\(index)"
        let given = argument.path.dropFirst().reversed().reduce(value) { "{ \($1): \($0) }" }
        let text = "\(alias): \(field.name)" + Self.list(needed + ["\(argument.path[0]): \(given)"])
        asked.append(Asked(alias: alias, text: text))
      }
    }
    return asked
  }

  private static func list(_ arguments: [String]) -> String {
    arguments.isEmpty ? "" : "(\(arguments.joined(separator: ", ")))"
  }

  // MARK: Arguments

  struct Argument {
    /// Such as `Family.chores(filter.status:)`.
    let coordinate: String
    let path: [String]
    let isRequired: Bool
    let type: TypeDefinition
  }

  /// The arguments of a field. An argument that is an input object is replaced by its fields.
  func arguments(of type: TypeDefinition, _ field: FieldDefinition) -> [Argument] {
    field.arguments.flatMap { argument -> [Argument] in
      let input = schema[argument.type.type]
      let inner = input.inputFields.map { ([argument.name, $0.name], false, schema[$0.type.type]) }
      return (inner.isEmpty ? [([argument.name], argument.isRequired, input)] : inner).map { path, isRequired, input in
        let coordinate = "\(type.name).\(field.name)(\(path.joined(separator: ".")):)"
        return Argument(coordinate: coordinate, path: path, isRequired: isRequired, type: input)
      }
    }
  }

  // MARK: Mutations

  var mutations: [FieldDefinition] { schema.mutationType.map { schema[$0].fields } ?? [] }

  /// The current arguments of a mutation, or its deprecated ones. A mutation that is deprecated itself has one form.
  private func arguments(of mutation: FieldDefinition, deprecated: Bool) -> [InputValueDefinition] {
    guard mutation.deprecationReason == nil else { return mutation.arguments }
    return mutation.arguments.filter { ($0.deprecationReason != nil) == deprecated }
  }

  func document(_ mutation: FieldDefinition, deprecated: Bool = false) -> String {
    let arguments = arguments(of: mutation, deprecated: deprecated)
    let variables = arguments.map { "$\($0.name): \(schema.name(of: $0.type))" }
    let given = arguments.map { "\($0.name): $\($0.name)" }
    let payload = schema[mutation.type.type]
    return "mutation \(Self.list(variables)) { \(mutation.name)\(Self.list(given))\(selection(of: payload)) }"
  }

  /// The paths of all ids that a mutation takes, with 0 for the index in a list.
  func ids(of mutation: FieldDefinition, deprecated: Bool = false) -> [String] {
    arguments(of: mutation, deprecated: deprecated).flatMap { ids(in: $0) }
  }

  private func ids(in input: InputValueDefinition) -> [String] {
    let type = schema[input.type.type]
    let path = input.name + (input.type.isList ? ".0" : "")
    if type.name == "ID" { return [path] }
    return type.inputFields.flatMap { ids(in: $0) }.map { "\(path).\($0)" }
  }
}
