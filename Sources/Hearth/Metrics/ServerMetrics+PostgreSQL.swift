import GraphQLTransport
import Storage

/// The connections to a PostgreSQL server. All numbers are 0 with SQLite.
extension ServerMetrics {
  func addPostgreSQL(to list: inout MetricList) {
    let statistics = services.database.postgreSQLStatistics
    addPostgreSQLConnections(statistics, to: &list)
    addPostgreSQLStatements(statistics, to: &list)
    addPostgreSQLProcesses(statistics, to: &list)
  }

  private func addPostgreSQLConnections(_ statistics: PostgreSQLStatistics, to list: inout MetricList) {
    list.add(
      "hearth_postgresql_connections",
      kind: .gauge,
      help: "Connections with which requests read from PostgreSQL.",
      samples: [
        .init(statistics.usedConnections, labels: ["state": "used"]),
        .init(statistics.idleConnections, labels: ["state": "idle"]),
      ]
    )
    list.add(
      "hearth_postgresql_waits_total",
      kind: .counter,
      help: "Requests that had to wait for a connection to read from PostgreSQL.",
      value: statistics.waits
    )
    list.add(
      "hearth_postgresql_rejections_total",
      kind: .counter,
      help: "Reads and writes that waited too long for a connection to PostgreSQL.",
      samples: [
        .init(statistics.rejectedReads, labels: ["work": "reads"]),
        .init(statistics.rejectedWrites, labels: ["work": "writes"]),
      ]
    )
  }

  private func addPostgreSQLStatements(_ statistics: PostgreSQLStatistics, to list: inout MetricList) {
    list.add(
      "hearth_postgresql_round_trips_total",
      kind: .counter,
      help: "How often Hearth waited for an answer of PostgreSQL.",
      samples: [
        .init(statistics.readRoundTrips, labels: ["work": "reads"]),
        .init(statistics.writeRoundTrips, labels: ["work": "writes"]),
      ]
    )
    list.add(
      "hearth_postgresql_statements_total",
      kind: .counter,
      help: "Statements that Hearth sent to PostgreSQL, including those that begin and end transactions.",
      value: statistics.statements
    )
    list.add(
      "hearth_postgresql_write_retries_total",
      kind: .counter,
      help: "Writes that were repeated on PostgreSQL, because of a conflict or a lost connection.",
      samples: [
        .init(statistics.conflicts, labels: ["reason": "conflict"]),
        .init(statistics.reconnections, labels: ["reason": "connection"]),
      ]
    )
    list.add(
      "hearth_postgresql_commits_in_doubt_total",
      kind: .counter,
      help: "Commits on PostgreSQL whose outcome had to be found out.",
      value: statistics.commitsInDoubt
    )
  }

  /// The processes that use the database, and what they have in common.
  private func addPostgreSQLProcesses(_ statistics: PostgreSQLStatistics, to list: inout MetricList) {
    list.add(
      "hearth_processes",
      kind: .gauge,
      help: "Processes that use the database; 1 with SQLite.",
      value: services.heartbeat?.processCount ?? 1
    )
    list.add(
      "hearth_leases",
      kind: .gauge,
      help: "1 for work that this process does for all processes, 0 for work that it leaves to others.",
      samples: services.leases.names.map { name in
        .init(services.leases.holds(name) ? 1 : 0, labels: ["work": name])
      }
    )
    list.add(
      "hearth_clock_difference_seconds",
      kind: .gauge,
      help: "How far the clock is ahead of that of the database server; 0 with SQLite.",
      samples: [.init(Double(services.heartbeat?.clockDifference ?? 0) / 1_000)]
    )
    list.add(
      "hearth_postgresql_hints_total",
      kind: .counter,
      help: "Messages to other processes on the same PostgreSQL database, and from them.",
      value: statistics.hintMessages
    )
  }
}
