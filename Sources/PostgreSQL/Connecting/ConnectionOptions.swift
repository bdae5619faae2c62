import Basics

/// How a connection is opened: what the database's URL states, and what Hearth adds to it.
package struct ConnectionOptions: Sendable {
  /// libpq's parameters (https://www.postgresql.org/docs/15/libpq-connect.html#LIBPQ-PARAMKEYWORDS). Later entries
  /// replace earlier ones of the same name.
  package var parameters: [(name: String, value: String)]
  /// The time until the connection must be open, over all hosts.
  package var connectTimeout = Duration.seconds(5)
  /// The time after which the server ends a statement; zero for no limit.
  package var statementTimeout = Duration.seconds(5)
  /// The time after which the server ends a session whose transaction waits for its client; zero for no limit.
  package var idleTransactionTimeout = Duration.seconds(10)
  /// The longest time that a statement waits for a lock. Nil: until the server ends it or finds a deadlock.
  package var lockTimeout: Duration?
  /// Whether a commit waits until it is on the disk. Only for what may be lost.
  package var waitsForDisk = true
  /// Counts the round trips of the connections.
  package var roundTrips: RoundTripCounter?
  /// Whether a statement has one plan for all parameters: a plan for each execution takes longer to make than to run.
  /// Otherwise the server decides. Only then it takes into account how many rows a LIMIT allows, without which it scans
  /// a whole table to delete a few of its rows.
  package var usesGenericPlans = true
  /// Whether batches record when their results arrive.
  package var measuresResults = false

  package init(parameters: [(name: String, value: String)]) { self.parameters = parameters }

  /// The parameters that libpq gets.
  var complete: [(name: String, value: String)] {
    let defaults = [
      (name: "fallback_application_name", value: "hearth"),
      // Detects a server whose machine has disappeared.
      (name: "keepalives_idle", value: "10"), (name: "keepalives_interval", value: "5"),
      (name: "keepalives_count", value: "3"), (name: "tcp_user_timeout", value: "15000"),
    ]
    return defaults + parameters + [(name: "client_encoding", value: "UTF8")]
  }

  /// The statement that sets what Hearth needs, the first one of each connection. It replaces what the URL's `options`
  /// set. It is not a part of `options`, which PgBouncer rejects or ignores.
  var settings: String {
    var settings = [
      // The compiler of expressions (JIT) costs more than it saves for statements of a few milliseconds.
      (name: "jit", value: "off"),
      // An index finds the rows of each statement. Of a table that was small when it was analysed, or was not analysed
      // yet, the planner reads all rows, and a prepared statement keeps the plan while the table grows.
      (name: "enable_seqscan", value: "off"),
      (name: "statement_timeout", value: "\(statementTimeout.millisecondsRoundedUp)"),
      (name: "idle_in_transaction_session_timeout", value: "\(idleTransactionTimeout.millisecondsRoundedUp)"),
      // The server detects that the machine of a client has disappeared, and ends its session with its locks. By
      // default that takes two hours.
      (name: "tcp_keepalives_idle", value: "10"), (name: "tcp_keepalives_interval", value: "5"),
      (name: "tcp_keepalives_count", value: "3"), (name: "tcp_user_timeout", value: "15000"),
    ]
    if !waitsForDisk { settings.append((name: "synchronous_commit", value: "off")) }
    if let lockTimeout { settings.append((name: "lock_timeout", value: "\(lockTimeout.millisecondsRoundedUp)")) }
    if usesGenericPlans { settings.append((name: "plan_cache_mode", value: "force_generic_plan")) }
    return "SELECT " + settings.map { "set_config('\($0.name)', '\($0.value)', false)" }.joined(separator: ", ")
  }
}
