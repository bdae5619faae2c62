import Logging
import Storage

/// The parts from which `Services.init` makes the services.
extension Services {
  /// Nil with SQLite.
  static func makeHeartbeat(in work: WorkEnvironment, version: String) -> Heartbeat? {
    work.database.processTable.map { table in
      Heartbeat(
        table,
        version: version,
        schemaVersion: Migration.all.count,
        leases: work.leases,
        clock: work.clock,
        log: work.log
      )
    }
  }

  static func makeReadiness(
    of data: ServerData,
    _ heartbeat: Heartbeat?,
    configuration: Configuration,
    log: Logger
  ) -> Readiness {
    Readiness(
      of: data.database,
      heartbeat,
      in: data.directory,
      minimumFreeBytes: configuration.minimumFreeBytes,
      log: log
    )
  }

  static func makePictures(
    of data: ServerData,
    signingKey: [UInt8],
    configuration: Configuration,
    log: Logger
  ) throws -> PictureStore {
    try PictureStore(
      directory: data.directory,
      databaseContents: configuration.databaseURL == nil ? nil : PictureContents(data.database),
      signingKey: signingKey,
      configuration,
      log: log,
      follower: data.follower
    )
  }

  /// The verifiers of the providers that the configuration enables.
  static func makeIdentityVerifiers(
    of configuration: Configuration
  ) throws -> [IdentityProvider: IdentityVerifier] {
    try Dictionary(
      uniqueKeysWithValues: configuration.identityProviders.compactMap { provider, settings in
        try IdentityVerifier(provider, settings: settings).map { (provider, $0) }
      }
    )
  }
}
