import Assets
import GraphQL

/// The schema of `schema.graphql`, with every field bound to its resolver. A field without a description inherits that
/// of its interface.
package enum HearthSchema {
  /// Throws an error for each mismatch of the schema and the bindings, with its coordinate.
  package static func executable(_ sdl: String) throws(SchemaError) -> ExecutableSchema {
    try executable(sdl, features: Feature.all)
  }

  static func executable(
    _ sdl: String,
    features: [Feature],
    isSubgraph: Bool = false
  ) throws(SchemaError) -> ExecutableSchema {
    try ExecutableSchema(
      try SchemaBuilder.build(sdl, scalars: Scalars.coercions).inheritingDescriptions(),
      objects: try FeatureBindings(features, isSubgraph: isSubgraph).objects
    )
  }

  /// The text of `schema.graphql`.
  package static var sdl: [UInt8] { Asset.schema.bytes }

  /// That of `schema.graphql`. It is built once for all servers of a process, because it contains nothing of a server.
  ///
  /// - Parameter isSubgraph: Whether the schema has the fields of a Federation subgraph: see `Subgraph`.
  package static func executable(isSubgraph: Bool = false) throws(SchemaError) -> ExecutableSchema {
    try (isSubgraph ? asSubgraph : product).get()
  }

  private static let product = Result { () throws(SchemaError) in
    try executable(String(decoding: sdl, as: UTF8.self))
  }

  private static let asSubgraph = Result { () throws(SchemaError) in
    let text = String(decoding: sdl, as: UTF8.self)
    let subgraph = Subgraph(of: text)
    return try executable(text + subgraph.additions, features: Feature.all + [subgraph.feature], isSubgraph: true)
  }

  /// The result of an introspection query, for code generators that require it.
  package static func introspection() throws -> [UInt8] {
    try SchemaIntrospection.json(try executable().schema)
  }
}
