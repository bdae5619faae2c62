import Logging
import Storage

/// What work needs that a process does by itself, without a request: schedulers, the delivery of queues, the sweeper.
struct WorkEnvironment: Sendable {
  /// The leases of the processes that use the database.
  let leases: Leases
  let database: Database
  let clock: Clock
  let log: Logger
}
