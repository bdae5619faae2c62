import GraphQL

/// Merges the bindings of several features.
struct FeatureBindings: Sendable {
  let objects: [String: ObjectBinding]

  /// Throws an error for each declaration that two features have in common.
  /// - Parameter isSubgraph: See `Subgraph`.
  init(_ features: [Feature], isSubgraph: Bool) throws(SchemaError) {
    var features = features
    var errors: [GraphQLError] = []
    func merge<Key, Value>(_ what: String, _ members: (Feature) -> [(Key, Value)]) -> [Key: Value] {
      var merged: [Key: (value: Value, feature: String)] = [:]
      for feature in features {
        for (key, value) in members(feature) {
          if let other = merged[key]?.feature {
            errors.append(
              GraphQLError("\(what)\(key) is declared by \(other) and by \(feature.name).", code: .schemaInvalid)
            )
          }
          merged[key] = (value, feature.name)
        }
      }
      return merged.mapValues(\.value)
    }

    let lookups = merge("The lookup of the kind ") { Array($0.lookups) }
    features.append(Feature(name: "nodes", queries: NodeQuery(lookups: lookups).fields(isSubgraph: isSubgraph)))
    var objects = merge("") { Array($0.objects) }
    let queries = merge("Query.") { Array($0.queries) }
    let mutations = merge("Mutation.") { Array($0.mutations) }
    let subscriptions = merge("Subscription.") { Array($0.subscriptions) }
    _ = merge("The service ") { $0.services.map { ($0.name, ()) } }
    guard errors.isEmpty else { throw SchemaError(errors) }

    objects["Query"] = ObjectBinding(fields: queries)
    objects["Mutation"] = ObjectBinding(fields: mutations)
    objects["Subscription"] = ObjectBinding(
      fields: subscriptions.mapValues(\.field),
      sources: subscriptions.mapValues(\.source)
    )
    self.objects = objects
  }
}
