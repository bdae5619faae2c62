import Glibc
import TestSupport
import Testing

@testable import Hearth

/// What operators see of a PostgreSQL database: `/ready`, `/metrics` and `hearth status` of a program.
@Suite(
  "/ready, /metrics and hearth status with PostgreSQL",
  .enabled(if: PostgreSQLCluster.isInstalled, "Scripts/install-postgresql installs PostgreSQL."),
  .timeLimit(.minutes(10))
)
struct PostgreSQLReadinessTests {
  private func serve(_ directory: TemporaryDirectory, _ cluster: PostgreSQLCluster) async throws -> Program {
    let url = cluster.url(of: try await cluster.makeDatabase())
    return try Program.serve(
      directory,
      environment: ["HEARTH_DATABASE_URL": url, "HEARTH_DATABASE_UNSAFE": "yes"]
    )
  }

  /// Polls, as load balancers do, until the response changes.
  private func becomes(_ status: Int, _ http: HTTPClient) async throws -> (text: String, time: Duration) {
    let beginning = ContinuousClock.now
    while true {
      let answer = try await http.get("/ready")
      if answer.status == status { return (answer.text, ContinuousClock.now - beginning) }
    }
  }

  private func metrics(_ http: HTTPClient) async throws -> PrometheusMetrics {
    try PrometheusMetrics(try await http.get("/metrics").text)
  }

  @Test func `is 503 while the database server is stopped, even without requests, and 200 when it is back`()
    async throws
  {
    let directory = try TemporaryDirectory()
    let cluster = try await PostgreSQLCluster.start()
    let server = try await serve(directory, cluster)
    let http = HTTPClient(port: try await server.port())
    let ada = try await Household(port: http.port)
    #expect(try await http.get("/ready").text == "ready\n")

    try await cluster.stop()
    let down = try await becomes(503, http)
    #expect(down.text == "not ready: the database server does not answer\n")
    // A poll asks the server, and the next one knows its answer. A busy machine needs longer.
    #expect(down.time < .seconds(30))
    #expect(try await metrics(http)["hearth_ready"] == 0)
    let read = try await ada.parent.post("{ family { name } }")
    #expect(read.codes == ["STORAGE_UNAVAILABLE"])
    let status = try await Program.run("status", "--data", directory.path, "--json")
    #expect(status.status == 0, "\(status.errors)")
    let report = try Value(Array(status.output.utf8))
    #expect(report["health"] == "the database server does not answer" && report["accounts"] == .null, "\(report)")
    let lines = try await Program.run("status", "--data", directory.path).output
    for line in ["Health: +the database server does not answer", "Accounts: +not known", "Mails: +not known"] {
      #expect(lines.firstMatch(of: try Regex("(?m)^\(line)$")) != nil, "\(line): \(lines)")
    }

    try await cluster.startAgain()
    let up = try await becomes(200, http)
    #expect(up.text == "ready\n" && up.time < .seconds(60))
    _ = try await ada.addChore("Stored")
    let chores = try await ada.parent.ask("{ family { chores { nodes { name } } } }")
    #expect(chores["data.family.chores.nodes"].each("name") == ["Stored"])
    #expect(try await metrics(http)["hearth_ready"] == 1)
    server.signal(SIGTERM)
    let result = try await server.result()
    #expect(result.status == 0)
    #expect(result.errors.contains("The server is not ready.") && result.errors.contains("ready again"))
  }

  @Test func `connections, round trips and sizes are reported, and that no backup is known`() async throws {
    let directory = try TemporaryDirectory()
    let cluster = try await PostgreSQLCluster.shared()
    let server = try await serve(directory, cluster)
    let http = HTTPClient(port: try await server.port())
    let ada = try await Household(port: http.port)
    let before = try await metrics(http)
    for number in 1...3 { _ = try await ada.addChore("Chore \(number)") }
    for _ in 1...3 { _ = try await ada.parent.ask("{ family { chores { nodes { name } } } }") }
    let after = try await metrics(http)
    // A write is committed in at least one round trip, and so is a query read.
    for work in ["reads", "writes"] {
      let name = "hearth_postgresql_round_trips_total"
      #expect(after[name, ["work": work]] - before[name, ["work": work]] >= 3, "\(work)")
      #expect(after["hearth_postgresql_rejections_total", ["work": work]] == 0)
    }
    let connections = ["used", "idle"].map { after["hearth_postgresql_connections", ["state": $0]] }
    #expect(connections[0] + connections[1] >= 1, "\(connections)")
    #expect(after["hearth_postgresql_waits_total"] == 0 && after["hearth_postgresql_commits_in_doubt_total"] == 0)
    #expect(after["hearth_queue_length", ["queue": "reads"]] == 0)
    // An empty database of PostgreSQL has some megabytes.
    #expect(after["hearth_data_bytes", ["part": "database"]] > 5_000_000)
    #expect(after["hearth_data_bytes", ["part": "log"]] == 0)
    #expect(after["hearth_last_backup_timestamp_seconds"] == 0)

    let status = try Value(Array(try await Program.run("status", "--data", directory.path, "--json").output.utf8))
    #expect((status["bytes.database"].int ?? 0) > 5_000_000 && status["bytes.log"] == 0)
    #expect(status["health"] == "ready" && status["lastBackup"] == .null)
    let processes = try #require(status["processes"].list.first)
    #expect(status["processes"].list.count == 1 && processes["isThis"] == true)
    #expect(processes["leases"].list.contains("reminders") && processes["leases"].list.contains("mail"))
    #expect(after["hearth_processes"] == 1 && after["hearth_leases", ["work": "reminders"]] == 1)
    #expect(abs(after["hearth_clock_difference_seconds"]) < 1)
    let text = try await Program.run("status", "--data", directory.path).output
    #expect(text.firstMatch(of: /(?m)^Processes: +\S+ on \S+, this one: .*reminders/) != nil, "\(text)")
    #expect(text.firstMatch(of: /(?m)^Last backup: +not known$/) != nil, "\(text)")
    server.signal(SIGTERM)
    #expect(try await server.result().status == 0)
  }
}
