/// What the features declare for the services of a process.
struct FeatureDeclarations: Sendable {
  /// What they delete from the data folder before the database is opened.
  let cleanings: [ServerData.Cleaning]
  /// How their expired rows are deleted.
  let sweeps: [Sweep]
  /// Their deadlines that a wrong clock must not fulfil.
  let deadlines: [MovableDeadlines]
  /// Their streamed resources outside of the GraphQL endpoint.
  let streams: [Services.Stream]
  /// Their services. A service is created after those before it.
  let services: [any AnyFeatureService]
}
