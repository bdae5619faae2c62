import GraphQL

/// What a feature adds to the server. Each feature declares one, in its folder; `Feature.all` lists them.
struct Feature: Sendable {
  /// A field of `Subscription`: where its events come from, and how the field is resolved from an event.
  struct Subscription: Sendable {
    let source: SourceBinding
    let field: FieldBinding
  }

  let name: String
  /// Its object types, by name.
  var objects: [String: ObjectBinding] = [:]
  /// Its fields of `Query`.
  var queries: [String: FieldBinding] = [:]
  /// Its fields of `Mutation`.
  var mutations: [String: FieldBinding] = [:]
  /// Its fields of `Subscription`.
  var subscriptions: [String: Subscription] = [:]
  /// How `Query.node` finds objects of kinds that can be removed (`NodeQuery`).
  var lookups: [Kind: Loader] = [:]
  /// Its rows that expire.
  var sweeps: [Sweep] = []
  /// What its requests share. A service can use those before it, and those of features that are listed before.
  var services: [any AnyFeatureService] = []
}
