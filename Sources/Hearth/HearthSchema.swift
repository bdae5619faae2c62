import Assets
import GraphQL

/// The schema of `schema.graphql`, with every field bound to its resolver. A field without a description inherits that
/// of its interface.
package enum HearthSchema {
  /// Throws an error for each mismatch of the schema and the bindings, with its coordinate.
  package static func executable(_ sdl: String) throws(SchemaError) -> ExecutableSchema {
    try executable(sdl, features: Feature.all)
  }

  static func executable(_ sdl: String, features: [Feature]) throws(SchemaError) -> ExecutableSchema {
    try ExecutableSchema(
      try SchemaBuilder.build(sdl, scalars: Scalars.coercions).inheritingDescriptions(),
      try FeatureBindings(features).objects
    )
  }

  /// The text of `schema.graphql`.
  package static var sdl: [UInt8] { Asset.schema.bytes }

  package static func executable() throws(SchemaError) -> ExecutableSchema {
    try executable(String(decoding: sdl, as: UTF8.self))
  }

  /// The result of an introspection query, for code generators that require it.
  package static func introspection() throws -> [UInt8] {
    try SchemaIntrospection.json(try executable().schema)
  }
}
