import GraphQL

/// The schema as a subgraph of a Federation 2 supergraph
/// (https://www.apollographql.com/docs/graphos/schema-design/federated-schemas/reference/subgraph-spec).
///
/// Every object with an `id` is an entity: other subgraphs refer to it by its type and its id, and the gateway loads it
/// through `Query._entities`, with the rights of the caller whose token it forwards.
struct Subgraph: Sendable {
  /// The schema with the directives of Federation, which a gateway composes.
  let sdl: String
  /// What a subgraph's schema has in addition.
  let additions: String

  /// Types whose objects have no identity, and that other subgraphs may define as well.
  private static let shareable: Set<String> = ["PageInfo", "UserError", "UserErrorParameter"]

  /// - Parameter schema: The text of `schema.graphql`.
  init(of schema: String) {
    var entities: [String] = []
    let lines = schema.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      guard let type = ObjectTypeLine(line) else { return String(line) }
      if type.interfaces.contains("Node") {
        entities.append(type.name)
        return line.dropLast() + "@key(fields: \"id\") {"
      }
      return Self.shareable.contains(type.name) ? line.dropLast() + "@shareable {" : String(line)
    }
    sdl = """
      extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable"])

      \(lines.joined(separator: "\n"))
      """
    additions = """
      "Reference to an entity: an object with its `__typename` and its `id`."
      scalar _Any

      "Object to which other subgraphs can refer."
      union _Entity = \(entities.joined(separator: " | "))

      "Description of a subgraph."
      type _Service {
        "The schema of the subgraph, with the directives of Federation."
        sdl: String!
      }

      extend type Query {
        \"""
        Objects to which other subgraphs refer, in the same order. An entry is null if its object does not exist, is not
        visible to the viewer, or has another type.
        \"""
        _entities(
          "References to objects: at most 100."
          representations: [_Any!]!
        ): [_Entity]!
        "The description of this subgraph for a gateway. Only for signed-in callers where introspection is."
        _service: _Service!
      }
      """
  }

  /// The binding of what is added to the schema, apart from `Query._entities`.
  var feature: Feature {
    Feature(
      name: "subgraph",
      objects: ["_Service": ObjectBinding(fields: ["sdl": .property { (service: Subgraph) in .string(service.sdl) }])],
      queries: [
        "_service": .objects { batch, context in
          if context.configuration.introspection != .everyone { _ = try context.requireViewer() }
          batch.add(0, value: self, of: batch.resultType)
        }
      ]
    )
  }
}

/// The line that begins the definition of an object type, as they are written in `schema.graphql`.
private struct ObjectTypeLine {
  let name: String
  let interfaces: [Substring]

  init?(_ line: Substring) {
    guard line.hasPrefix("type "), line.hasSuffix("{") else { return nil }
    let words = line.split(separator: " ")
    name = String(words[1])
    interfaces = words.firstIndex(of: "implements").map { Array(words[($0 + 1)...]) } ?? []
  }
}
