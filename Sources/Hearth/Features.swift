import Logging

extension Feature {
  /// All features. Each comes after those whose services it uses.
  static let all: [Feature] = [
    .sharedTypes, .points, .accounts, .members, .chores, .families, .contracts, .items, .contacts, .contactInfo,
    .addressBooks, .groups, .search, .devices, .notifications, .mail, .personalData,
  ]
}

extension Services {
  /// Opens the data in `directory`, or creates it, with all features. Blocks, so it must not be called on an event
  /// loop.
  package convenience init(directory: String, configuration: Configuration, log: Logger) async throws {
    try await self.init(directory: directory, configuration: configuration, log: log, clock: .system)
  }

  convenience init(
    directory: String,
    configuration: Configuration,
    log: Logger,
    clock: Clock,
    defersReads: Bool = false
  ) async throws {
    try await self.init(
      directory: directory,
      configuration: configuration,
      version: HearthVersion.current,
      log: log,
      clock: clock,
      defersReads: defersReads,
      declarations: FeatureDeclarations(Feature.all)
    )
    for prepare in Feature.all.flatMap(\.preparations) { try await prepare(self) }
  }
}
