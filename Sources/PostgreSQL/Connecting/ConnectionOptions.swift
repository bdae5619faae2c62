/// How a connection is opened: what the database's URL states, and what Hearth adds to it.
package struct ConnectionOptions: Sendable {
  /// libpq's parameters (https://www.postgresql.org/docs/15/libpq-connect.html#LIBPQ-PARAMKEYWORDS). Later entries
  /// replace earlier ones of the same name.
  package var parameters: [(name: String, value: String)]
  /// Milliseconds until the connection must be open, over all hosts.
  package var connectTimeout: Int = 5_000
  /// Milliseconds after which the server ends a statement.
  package var statementTimeout: Int = 5_000
  /// Milliseconds after which the server ends a session whose transaction waits for its client.
  package var idleTransactionTimeout: Int = 10_000

  package init(parameters: [(name: String, value: String)]) { self.parameters = parameters }

  /// The parameters that libpq gets.
  var complete: [(name: String, value: String)] {
    var given: [(name: String, value: String)] = []
    var settings = ""
    for parameter in parameters {
      if parameter.name == "options" { settings = parameter.value + " " } else { given.append(parameter) }
    }
    // One plan for all parameters: a plan for each execution takes longer to make than to run. The compiler of
    // expressions (JIT) costs more than it saves for statements of a few milliseconds.
    settings += "-c plan_cache_mode=force_generic_plan -c jit=off -c statement_timeout=\(statementTimeout)"
    settings += " -c idle_in_transaction_session_timeout=\(idleTransactionTimeout)"
    let defaults = [
      (name: "fallback_application_name", value: "hearth"),
      // Detects a server whose machine has disappeared.
      (name: "keepalives_idle", value: "10"), (name: "keepalives_interval", value: "5"),
      (name: "keepalives_count", value: "3"), (name: "tcp_user_timeout", value: "15000"),
    ]
    return defaults + given + [(name: "options", value: settings), (name: "client_encoding", value: "UTF8")]
  }
}
