import GraphQLTransport
import Storage

/// The connections to a PostgreSQL server. All numbers are 0 with SQLite.
extension ServerMetrics {
  func addServerDatabase(to list: inout MetricList) {
    let statistics = services.database.serverStatistics
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
}
