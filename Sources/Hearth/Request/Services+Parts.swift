import Logging
import Storage

/// The parts from which `Services.init` makes the services.
extension Services {
  /// Nil with SQLite.
  static func heartbeat(
    of database: Database,
    version: String,
    leases: Leases,
    clock: Clock,
    log: Logger
  ) -> Heartbeat? {
    database.processTable.map { table in
      Heartbeat(
        table,
        version: version,
        schemaVersion: Migration.all.count,
        leases: leases,
        clock: clock,
        log: log
      )
    }
  }

  /// The verifiers of the providers that the configuration enables.
  static func identityVerifiers(
    of configuration: Configuration
  ) throws -> [IdentityProvider: IdentityVerifier] {
    try Dictionary(
      uniqueKeysWithValues: configuration.identityProviders.compactMap { provider, settings in
        try IdentityVerifier(provider, settings: settings).map { (provider, $0) }
      }
    )
  }
}
