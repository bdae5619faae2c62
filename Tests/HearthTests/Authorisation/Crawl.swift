import GraphQL
import Testing

/// Everything that a caller can see: queries every field of all objects that the caller receives, and of all objects
/// whose ids the caller knows from elsewhere, until nothing new is found.
struct Crawl {
  private(set) var seen: Sightings
  /// The error codes of rejected fields, by coordinates.
  private(set) var rejected: [String: Set<String>] = [:]
  /// Every request.
  private(set) var requests: [(document: String, variables: Value?)] = []
  /// The family's texts.
  private(set) var secrets: Set<String> = []

  private let client: Client
  private var coordinates: SchemaCoordinates { seen.coordinates }

  init(by client: Client, knowing ids: [String: Set<String>], _ coordinates: SchemaCoordinates) async throws {
    self.client = client
    seen = Sightings(coordinates)
    guard let query = coordinates.object("Query") else { return }
    for field in query.fields {
      for asked in coordinates.alone(field, of: query) { try await ask("{ \(asked) }", nil, query, at: []) }
    }
    var asked: [String: Set<String>] = [:]
    while true {
      let known = ids.merging(seen.ids) { $0.union($1) }
      let new = known.mapValues(\.self).compactMap { name, ids in
        let ids = ids.subtracting(asked[name] ?? [])
        return ids.isEmpty ? nil : (name, ids.sorted())
      }.sorted { $0.0 < $1.0 }
      if new.isEmpty { break }
      for (name, ids) in new {
        asked[name, default: []].formUnion(ids)
        guard let type = coordinates.object(name) else { continue }
        for start in stride(from: 0, to: ids.count, by: 50) {
          let some = Array(ids[start..<min(start + 50, ids.count)])
          try await ask(coordinates.document(forEach: type), ["ids": Value(some)], type, at: ["nodes"])
        }
      }
    }
  }

  private mutating func ask(
    _ document: String,
    _ variables: Value?,
    _ type: TypeDefinition,
    at path: [String]
  ) async throws {
    requests.append((document, variables))
    let answer = try await client.post(document, variables)
    try #require(answer.isExecuted, "\(answer.text)")
    secrets.formUnion(AuthorisationWorld.secrets(in: answer.text))
    for error in answer.json["errors"].list {
      let fields = error["path"].list.compactMap(\.string).dropFirst(path.count)
      rejected[coordinate(of: Array(fields), type), default: []].insert(error["extensions.code"].string ?? "?")
    }
    let data = answer.json["data"]
    if path.isEmpty { return seen.read(data, type, "Query") }
    for node in data["nodes"].list where node != .null { seen.read(node, type, node["id"].string ?? "?") }
  }

  /// The coordinate of an error at a path of aliases that begins at an object of this type.
  private func coordinate(of path: [String], _ type: TypeDefinition) -> String {
    var type = type
    var coordinate = "Query.nodes"
    for alias in path {
      guard let field = type.field(String(alias.prefix { $0 != "_" })) else { break }
      coordinate = "\(type.name).\(field.name)"
      type = coordinates.schema[field.type.type]
    }
    return coordinate
  }
}
