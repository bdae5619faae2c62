import GraphQL
import Testing

/// Everything that somebody gets to see, who asks every field of all that they are told of, and of all whose ids they
/// have from elsewhere, until nothing new comes.
struct Crawl {
  /// What was seen, by the field's coordinate, and there by what it is a field of.
  private(set) var seen: [String: [String: Value]] = [:]
  /// The codes of what was refused.
  private(set) var refused: [String: Set<String>] = [:]
  /// Every request.
  private(set) var requests: [(document: String, variables: Value?)] = []
  /// By type.
  private(set) var found: [String: Set<String>] = [:]
  private(set) var secrets: Set<String> = []

  private let client: Client
  private let coordinates: SchemaCoordinates

  init(by client: Client, knowing ids: [String: Set<String>] = [:], _ coordinates: SchemaCoordinates) async throws {
    self.client = client
    self.coordinates = coordinates
    guard let query = coordinates.object("Query") else { return }
    for field in query.fields {
      for asked in coordinates.only(field, of: query) { try await ask("{ \(asked) }", nil, query, at: []) }
    }
    var known = ids
    var asked: [String: Set<String>] = [:]
    while true {
      known.merge(found) { $0.union($1) }
      let new = known.compactMap { type, ids in
        let ids = ids.subtracting(asked[type] ?? [])
        return ids.isEmpty ? nil : (type, ids.sorted())
      }.sorted { $0.0 < $1.0 }
      if new.isEmpty { break }
      for (name, ids) in new {
        asked[name, default: []].formUnion(ids)
        guard let type = coordinates.object(name) else { continue }
        for start in stride(from: 0, to: ids.count, by: 20) {
          let some = Array(ids[start..<min(start + 20, ids.count)])
          try await ask(coordinates.document(forEach: type), ["ids": Value(some)], type, at: ["nodes"])
        }
      }
    }
  }

  private mutating func ask(_ document: String, _ variables: Value?, _ type: TypeDefinition, at path: [String])
    async throws
  {
    requests.append((document, variables))
    let answer = try await client.post(document, variables)
    try #require(answer.status == 200, "\(answer.text)")
    secrets.formUnion(AuthorisationWorld.secrets(in: answer.text))
    for error in answer.json["errors"].list {
      let code = error["extensions.code"].string ?? "?"
      refused[coordinate(of: error["path"].list.compactMap(\.string), type, path), default: []].insert(code)
    }
    let data = answer.json["data"]
    if path.isEmpty { return read(data, type, "Query") }
    for node in data["nodes"].list where node != .null { read(node, type, node["id"].string ?? "?") }
  }

  /// Of what has failed at a path from an object of this type on, by aliases.
  private func coordinate(of path: [String], _ type: TypeDefinition, _ start: [String]) -> String {
    var (place, type) = (type, type)
    var coordinate = "Query.nodes"
    for alias in path.dropFirst(start.count) {
      let name = alias.prefix { $0 != "_" }
      guard let field = type.field(String(name)) else { break }
      coordinate = "\(type.name).\(name)"
      place = type
      type = coordinates.schema[field.type.type]
    }
    return type.name == place.name && path.count == start.count ? "Query.nodes" : coordinate
  }

  // MARK: What it is told

  private mutating func read(_ value: Value, _ type: TypeDefinition, _ key: String) {
    for field in type.fields {
      for asked in coordinates.asked(type, field) {
        let isPlain = asked.alias == field.name
        let here = isPlain ? key : "\(key) \(asked.alias)"
        read(value[asked.alias], field, "\(type.name).\(field.name)", here)
      }
    }
  }

  private mutating func read(_ value: Value, _ field: FieldDefinition, _ coordinate: String, _ key: String) {
    guard value != .null, value != [] else { return }
    if coordinates.schema[field.type.type].isLeaf { return note(value, coordinate, key) }
    let isOneType = coordinates.schema[field.type.type].kind == .object
    let items = if case .array(let items) = value { items } else { [value] }
    let ids = items.map { $0["id"].string ?? "" }
    note(Value(ids), coordinate, key)
    for (place, item) in items.enumerated() {
      guard let name = item["__typename"].string, let type = coordinates.object(name) else { continue }
      guard let id = item["id"].string else {
        read(item, type, "\(key).\(coordinate.split(separator: ".").last ?? "").\(place)")
        continue
      }
      found[name, default: []].insert(id)
      for field in type.fields where coordinates.schema[field.type.type].isLeaf {
        let alias = isOneType ? field.name : SchemaCoordinates.alias(field, of: type)
        read(item[alias], field, "\(name).\(field.name)", id)
      }
    }
  }

  private mutating func note(_ value: Value, _ coordinate: String, _ key: String) {
    let before = seen[coordinate, default: [:]].updateValue(value, forKey: key)
    if let before, before != value {
      Issue.record("\(coordinate) is \(before) by one way and \(value) by another")
    }
  }
}
