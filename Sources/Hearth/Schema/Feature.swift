import GraphQL

/// A feature of the server: its part of the schema, its expiring rows and its services. Each feature declares one in
/// its folder, and `Feature.all` lists them.
struct Feature: Sendable {
  /// A field of `Subscription`: the source of its events, and how it is resolved from an event.
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
  /// How `Query.node` loads objects of kinds that can be removed (`NodeQuery`).
  var lookups: [Kind: Loader] = [:]
  /// What it deletes from the data folder at the start, before the database is opened, which can fail on a full disk.
  var cleanings: [ServerData.Cleaning] = []
  /// How its expired rows are deleted.
  var sweeps: [Sweep] = []
  /// Its deadlines that are moved if a wrong clock has set them.
  var deadlines: [MovableDeadlines] = []
  /// The services that its requests share. A service can use those declared before it, also by earlier features.
  var services: [any AnyFeatureService] = []
  /// Its resources outside of the GraphQL endpoint that are streamed; each returns nil for other paths.
  var streams: [Services.Stream] = []
  /// What it does with the data before requests are served.
  var preparations: [@Sendable (Services) async throws -> Void] = []
}

extension FeatureDeclarations {
  /// Collects what features declare, in their order.
  init(_ features: [Feature]) {
    self.init(
      cleanings: features.flatMap(\.cleanings),
      sweeps: features.flatMap(\.sweeps),
      deadlines: features.flatMap(\.deadlines),
      streams: features.flatMap(\.streams),
      services: features.flatMap(\.services)
    )
  }
}
